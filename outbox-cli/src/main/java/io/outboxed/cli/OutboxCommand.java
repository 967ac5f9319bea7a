package io.outboxed.cli;

import io.outboxed.cli.output.VersionProvider;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command itself; its help, version and exit codes are those of all its subcommands. */
@Command(
        name = "outbox",
        description = "Inspects an outbox, and makes changes for operators.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            StatusCommand.class,
            ListCommand.class,
            ShowCommand.class,
            FailuresCommand.class,
            HandlersCommand.class,
            RetryCommand.class,
            ReplayCommand.class,
            DiscardCommand.class,
            DropDeliveriesCommand.class,
            OperationsCommand.class,
            CancelCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            AuditCommand.class,
            CleanupCommand.class,
            PartitionsCommand.class,
            SchemaCommand.class,
            CheckCommand.class,
            AutoComplete.GenerateCompletion.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, or nothing to do",
            "1:a check found a problem; nothing has the given name or id; nothing could be retried, paused, resumed or"
                    + " cancelled; partitions were left as they were; rows in use, or dead letters that have lost their"
                    + " place, were skipped; the handler whose deliveries were to be dropped is not retired; or another"
                    + " bulk operation has not ended",
            "2:wrong arguments; nothing was changed",
            "3:not confirmed; nothing was changed",
            "4:the database failed or a privilege is missing; changes already made remain",
            "70:an error in the program, shown with its stack trace; changes already made remain",
            "74:the output could not be written, for example to a full disk or into a pipe that was closed at the"
                    + " other end; changes already made remain",
            "130:interrupted; as for 4"
        })
final class OutboxCommand {}
