package io.outboxed.internal.capture.check;

import io.outboxed.OutboxException;
import io.outboxed.Outboxed;
import io.outboxed.internal.capture.json.JsonbReadable;
import io.outboxed.internal.config.FaultTolerancePriority;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.ProcessProducerField;
import jakarta.enterprise.inject.spi.ProcessProducerMethod;
import jakarta.enterprise.inject.spi.ProcessSyntheticBean;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.interceptor.Interceptor;
import java.util.ArrayList;
import java.util.List;

/**
 * Fails the deployment if an {@code @Outboxed} method can't work, and reports all problems together. Warns where the
 * annotation has no effect.
 */
public class OutboxedMethodsExtension implements Extension {
    private final List<AnnotatedType<?>> beans = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final IneffectiveOutboxed ineffective = new IneffectiveOutboxed();

    void discover(@Observes @WithAnnotations(Outboxed.class) ProcessAnnotatedType<?> type) {
        ineffective.discovered(type.getAnnotatedType());
    }

    void discover(@Observes ProcessProducerMethod<?, ?> producer) {
        ineffective.produced(producer.getAnnotatedProducerMethod().getJavaMember());
    }

    void discover(@Observes ProcessProducerField<?, ?> producer) {
        ineffective.produced(producer.getAnnotatedProducerField().getJavaMember());
    }

    void discover(@Observes ProcessSyntheticBean<?> bean) {
        ineffective.synthetic(bean.getBean().getTypes());
    }

    /** Called for session beans as well. */
    void remember(@Observes ProcessManagedBean<?> bean) {
        ineffective.managed(bean.getAnnotatedBeanClass());
        if (!bean.getAnnotatedBeanClass().isAnnotationPresent(Interceptor.class)) {
            ComposedAnnotations.with(Outboxed.class, bean.getAnnotatedBeanClass())
                    .forEach(annotation -> problems.add("OUTBOX-0135 "
                            + bean.getAnnotatedBeanClass().getJavaClass().getName()
                            + " gets @Outboxed by way of @" + annotation
                            + ", which is not supported: remove it from @" + annotation
                            + ", and put it on the class or its methods"));
        }
        if (OutboxedMethods.mayHave(bean.getAnnotatedBeanClass())) {
            beans.add(bean.getAnnotatedBeanClass());
        }
    }

    void check(@Observes AfterDeploymentValidation deployment, BeanManager manager) {
        EventClassCheck events = new EventClassCheck(JsonbReadable.isDefault(manager));
        FaultTolerancePriority faultTolerance = FaultTolerancePriority.configured();
        for (AnnotatedType<?> bean : beans) {
            OutboxedMethods.of(bean)
                    .forEach(method ->
                            problems.addAll(OutboxedMethodCheck.problems(bean, method, events, faultTolerance)));
        }
        beans.clear();
        ineffective.report();
        if (!problems.isEmpty()) {
            OutboxException refusal = new OutboxException(
                    "OUTBOX-0120",
                    Counted.of(problems.size(), "problem") + " with @Outboxed methods; nothing was deployed:\n  "
                            + String.join("\n  ", problems));
            OutboxLog.deploymentRefused(refusal);
            deployment.addDeploymentProblem(refusal);
        }
    }
}
