package io.outboxed.internal.store;

/** Everything an operator can see and change. */
interface OperatorContract
        extends DeadLetterContract,
                DeadLetterSearchContract,
                DeadLetterBulkContract,
                SeenDeadLetterContract,
                RetiredDeliveriesContract,
                HandlerDropContract,
                RetryNowContract,
                PauseContract,
                AuditContract,
                NodeAuditContract,
                ReorderingConsentContract,
                EditedReplayContract,
                OperatorViewContract {}
