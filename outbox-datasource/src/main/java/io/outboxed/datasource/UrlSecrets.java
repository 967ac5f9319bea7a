package io.outboxed.datasource;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The passwords in a URL, the URL without them, and whether an exception quotes them. Drivers quote parts of a URL that they misunderstand: a
 * host with a user and a password before it, which PostgreSQL's driver looks up as it is, or half of a password that
 * contains a slash.
 */
final class UrlSecrets {
    private static final Pattern KIND = Pattern.compile("^jdbc:[^:/]*:");
    private static final Pattern PARAMETER = Pattern.compile("(?i)password\\d?\\s*=\\s*([^&;,)]*)");
    private static final Pattern BEFORE_HOST = Pattern.compile("//[^:@]*:(.*)@");

    private final String url;
    /** Where they begin. */
    private final int parameters;
    /** Where the host begins, if a user or a password is before it. */
    private final int host;

    private final Set<String> secrets = new HashSet<>();
    private final Set<String> words = new HashSet<>();

    UrlSecrets(String url) {
        this.url = url;
        this.parameters = url.split("[?;]", 2)[0].length();
        this.host = url.lastIndexOf('@') + 1;
        Matcher parameter = PARAMETER.matcher(url);
        while (parameter.find()) {
            add(parameter.group(1));
        }
        Matcher beforeHost =
                BEFORE_HOST.matcher(url.substring(0, isOfParameter() ? parameters : Math.max(parameters, host)));
        if (beforeHost.find()) {
            add(beforeHost.group(1));
        }
    }

    /** Whether the last at sign is in a parameter. Otherwise a question mark before it is part of a password. */
    private boolean isOfParameter() {
        return host > parameters && url.substring(parameters, host).contains("=");
    }

    /** The URL without its parameters, user and password. Little is left if it is unclear where these begin. */
    String without() {
        if (isOfParameter()) {
            Matcher kind = KIND.matcher(url);
            return (kind.find() ? kind.group() : "") + "***";
        }
        return url.replaceFirst("//.*@", "//***@")
                .replaceFirst("^(jdbc:[^/]*:)[^/:]+/[^@]*@", "$1***@")
                .replaceFirst("[?;].*", "")
                .replaceAll("(?i)(user|password\\d?)\\s*=\\s*[^,)]*", "$1=***");
    }

    private void add(String secret) {
        List<String> parts = wordsOf(secret);
        if (parts.size() > 1) {
            secrets.add(secret);
        }
        for (String word : parts) {
            // a single character is in most messages, and says little
            if (word.length() > 1) {
                words.add(word);
            }
        }
    }

    private static List<String> wordsOf(String text) {
        return Arrays.asList(text.split("(?U)\\W+"));
    }

    /** In its message, or in that of an exception that is printed or reported with it. */
    boolean areQuotedBy(Throwable failure) {
        return areQuotedBy(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private boolean areQuotedBy(Throwable failure, Set<Throwable> seen) {
        if (failure == null || !seen.add(failure)) {
            return false;
        }
        String message = String.valueOf(failure.getMessage());
        return secrets.stream().anyMatch(message::contains)
                || !Collections.disjoint(words, wordsOf(message))
                || areQuotedBy(failure.getCause(), seen)
                || failure instanceof SQLException sql && areQuotedBy(sql.getNextException(), seen)
                || Arrays.stream(failure.getSuppressed()).anyMatch(each -> areQuotedBy(each, seen));
    }
}
