package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.Plan.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AgendaTest {
    private static final Step KILL = new Step(3_000, Fault.KILL_NODE, 0, 0.5, false);
    private static final Step FREEZE = new Step(4_000, Fault.FREEZE_SHORTLY, 1, 0.5, false);
    private static final Step CUT = new Step(5_000, Fault.CUT_CONNECTIONS, 2, 0.5, false);

    private final Agenda agenda = new Agenda(new Plan(List.of(KILL, FREEZE, CUT)));
    private final Set<Fault> impossible = EnumSet.noneOf(Fault.class);

    @Test
    void what_is_possible_comes_in_the_order_of_the_plan_after_its_pause() {
        assertThat(agenda.pauseMillis()).isEqualTo(3_000);
        assertThat(turn()).containsExactly(KILL);
        assertThat(agenda.pauseMillis()).isEqualTo(4_000);
        assertThat(turn()).containsExactly(FREEZE);
        assertThat(turn()).containsExactly(CUT);
        assertThat(agenda.isEmpty()).isTrue();
    }

    @Test
    void a_step_that_was_left_out_comes_in_each_turn_until_it_is_possible() {
        impossible.add(Fault.KILL_NODE);
        assertThat(turn()).isEmpty();
        assertThat(turn()).containsExactly(FREEZE);
        impossible.clear();
        assertThat(turn()).containsExactly(KILL, CUT);
        assertThat(agenda.isEmpty()).isTrue();
    }

    @Test
    void what_was_left_out_does_not_end_with_the_plan() {
        impossible.addAll(List.of(Fault.KILL_NODE, Fault.FREEZE_SHORTLY, Fault.CUT_CONNECTIONS));
        turn();
        turn();
        turn();
        assertThat(agenda.isEmpty()).isFalse();
        assertThat(agenda.pauseMillis()).isLessThan(1_000);
        impossible.clear();
        assertThat(turn()).containsExactly(KILL);
        assertThat(turn()).containsExactly(FREEZE);
        assertThat(turn()).containsExactly(CUT);
        assertThat(agenda.isEmpty()).isTrue();
    }

    @Test
    void a_step_that_turns_out_to_have_been_impossible_comes_again() {
        assertThat(turn()).containsExactly(KILL);
        agenda.again(KILL);
        assertThat(turn()).containsExactly(KILL, FREEZE);
    }

    @Test
    void it_is_not_empty_while_a_step_may_come_back() {
        turn();
        turn();
        turn();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        agenda.mayComeBack(answer);
        assertThat(agenda.isEmpty()).isFalse();
        assertThat(turn()).isEmpty();
        agenda.again(CUT);
        answer.complete(null);
        assertThat(agenda.isEmpty()).isFalse();
        assertThat(turn()).containsExactly(CUT);
        assertThat(agenda.isEmpty()).isTrue();
    }

    @Test
    void at_the_end_answers_are_awaited_but_not_for_ever() {
        agenda.mayComeBack(new CompletableFuture<>().completeOnTimeout(null, 50, TimeUnit.MILLISECONDS));
        agenda.awaitAnswers(Duration.ofMinutes(1));
        turn();
        turn();
        turn();
        assertThat(agenda.isEmpty()).isTrue();
        agenda.mayComeBack(new CompletableFuture<>());
        agenda.awaitAnswers(Duration.ofMillis(50));
        assertThat(agenda.isEmpty()).isFalse();
    }

    @Test
    void what_was_left_out_and_is_not_wanted_any_more_is_forgotten() {
        impossible.addAll(List.of(Fault.KILL_NODE, Fault.FREEZE_SHORTLY));
        turn();
        turn();
        agenda.retainLeftOut(fault -> fault == Fault.KILL_NODE);
        impossible.clear();
        assertThat(turn()).containsExactly(KILL, CUT);
        assertThat(agenda.isEmpty()).isTrue();
    }

    private List<Step> turn() {
        List<Step> done = new ArrayList<>();
        agenda.turn(step -> !impossible.contains(step.fault()) && done.add(step));
        return done;
    }
}
