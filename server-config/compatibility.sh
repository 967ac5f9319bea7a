#!/usr/bin/env bash
# Runs the server tests on every server, JDK and database and writes the tables of README.md and docs/compatibility.md.
#   server-config/compatibility.sh <JDK home> [<JDK home> ...]
# SERVERS and DATABASES choose fewer, whose rows replace those of earlier runs. TESTS chooses other test classes ("all" for
# each that its server and database have). MAVEN_ARGS adds to Maven's command line.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { sed -n 2,5p "$0"; exit 2; }
all_servers="payara payara-server wildfly liberty" all_databases="h2 mysql mariadb postgresql"
servers=${SERVERS:-$all_servers}
databases=${DATABASES:-$all_databases}
results=docs/compatibility.csv
version() { sed -n "s:.*<$1>\(.*\)</$1>.*:\1:p" pom.xml | head -1; }
tests=${TESTS:-$(version matrix.tests)}
[ "$tests" = all ] && chosen=() || chosen=("-Dit.test=$tests" -Dfailsafe.failIfNoSpecifiedTests=false)
declare -A name=(
  [payara]="Payara Micro $(version payara.version)"
  [payara-server]="Payara Server $(version payara.version)"
  [wildfly]="WildFly $(version wildfly.version)"
  [liberty]="Open Liberty $(version liberty.version)"
  [h2]="H2 $(version h2.version)"
  [mysql]="MySQL $(version mysql.binaries.version | sed 's/-.*//')"
  [mariadb]="MariaDB $(version mariadb.binaries.version)"
  [postgresql]="PostgreSQL $(version postgresql.binaries.version)"
)
build=$(git rev-parse --short=8 HEAD)
[ -z "$(git status --porcelain -- '*/src/main/*')" ] || build+=" and changes"
number() { sed -n "s:.*<$2>\([0-9]*\)</$2>.*:\1:p" "$1"; }
# In place of the row of the same server, Java and database, whatever their versions were
record() {
  local server=${1% *} java=${2%%.*} database=${3%% *} row i=0
  local -A order
  for product in $all_servers $all_databases; do order[${name[$product]% *}]=$((10 + i++)); done
  {
    head -1 "$results"
    { sed 1d "$results" | grep -v "^$server [^,]*,$java[.][^,]*,$database " || true; (IFS=,; echo "$*"); } \
      | while IFS=, read -r server java database row; do
          echo "${order[${server% *}]}$java${order[${database%% *}]};$server,$java,$database,$row"
        done | sort | sed 's/^[^;]*;//'
  } > "$results.new"
  mv "$results.new" "$results"
}

if [ "$servers, $databases" = "$all_servers, $all_databases" ]; then
  echo "server,java,database,tests,failed,seconds,started,build,classes" > "$results"
fi
for server in $servers; do
  for jdk in "$@"; do
    java=$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$jdk/release")
    echo "=== ${name[$server]}, Java $java: $databases"
    skips=()
    for database in $all_databases; do
      [[ " $databases " == *" $database "* ]] && skip=false || skip=true
      skips+=("-Dit.skip.$database=$skip")
      rm -rf "outbox-war/target/failsafe-reports/$database" "outbox-war/target/it/$database-"*
    done
    profiles=$server
    [[ " $databases " == *" mariadb "* ]] && profiles+=,mariadb
    started=$(date -u '+%Y-%m-%d %H:%M')
    # shellcheck disable=SC2086
    mvn -B -ntp ${MAVEN_ARGS:-} -pl examples/lending,outbox-war -am verify -P"$profiles" "${skips[@]}" -Dit.java.home="$jdk" \
      -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip \
      "${chosen[@]}" -Dmaven.test.failure.ignore=true \
      | grep --line-buffered -E 'Running|Tests run:|BUILD|ERROR' || true
    for database in $databases; do
      reports=outbox-war/target/failsafe-reports/$database
      tested=0 failed=1 seconds=0 classes= product="${name[$database]%% *} ?"
      if [ -f "$reports/failsafe-summary.xml" ]; then
        tested=$(number "$reports/failsafe-summary.xml" completed)
        failed=0
        for kind in errors failures skipped; do
          failed=$((failed + $(number "$reports/failsafe-summary.xml" $kind)))
        done
        for second in $(sed -n 's/^<testsuite .* time="\([0-9]*\).*/\1/p' "$reports"/TEST-*.xml); do
          seconds=$((seconds + second))
        done
        classes=$(cd "$reports" && ls TEST-*.xml | sed 's/.*\.\(.*\)\.xml/\1/' | sort | paste -sd' ')
        # a server may bring a database of its own: what it reported at its start counts, on the output or in its own log
        reported=$(find "$reports" outbox-war/target/it/"$database"-* \( -name '*-output.txt' -o -name server.log \) -exec \
          sed -n 's/^ *database  *\([A-Za-z0-9]* [0-9][0-9.]*\).*/\1/p' {} + | sort | uniq -c | sort -rn)
        if [ -n "$reported" ]; then
          product=$(head -1 <<< "$reported" | sed 's/^ *[0-9]* //')
        else
          failed=$((failed + 1))
        fi
      fi
      record "${name[$server]}" "$java" "$product" "$tested" "$failed" "$seconds" "$started" "$build" "$classes"
    done
  done
done

mvn -q -B -ntp ${MAVEN_ARGS:-} -pl outbox-war -am test -Dtest=CompatibilityPageTest -Dsurefire.failIfNoSpecifiedTests=false \
  -Dcompatibility.write=true
cat "$results"
