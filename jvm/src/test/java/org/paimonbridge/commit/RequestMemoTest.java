package org.paimonbridge.commit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.Test;

public class RequestMemoTest {

    private final RequestMemo memo = new RequestMemo();
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    public void aRepetitionGetsTheFirstAnswerAndNothingRunsTwice() {
        assertEquals("1", memo.answer("a", this::work));
        assertEquals("1", memo.answer("a", this::work));
        assertEquals("2", memo.answer("b", this::work));
        assertEquals(2, runs.get());
    }

    @Test
    public void withoutAnIdEveryCallRuns() {
        assertEquals("1", memo.answer(null, this::work));
        assertEquals("2", memo.answer(null, this::work));
    }

    @Test
    public void aRepetitionWaitsForTheFirstWhichIsStillAtWork() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try {
            List<Future<String>> answers = new ArrayList<>();
            answers.add(
                    pool.submit(
                            () ->
                                    memo.answer(
                                            "a",
                                            () -> {
                                                started.countDown();
                                                await(release);
                                                return work();
                                            })));
            started.await();
            answers.add(pool.submit(() -> memo.answer("a", this::work)));
            answers.add(pool.submit(() -> memo.answer("a", this::work)));
            release.countDown();
            for (Future<String> answer : answers) {
                assertEquals("1", answer.get());
            }
            assertEquals(1, runs.get());
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    public void oldAnswersAreForgottenAndMemoryStaysBounded() {
        memo.answer("first", this::work);
        for (int i = 0; i < 1_000; i++) {
            memo.answer("id " + i, this::work);
        }
        assertEquals("1002", memo.answer("first", this::work));
    }

    @Test
    public void workThatThrowsDoesNotLeaveRepetitionsWaiting() {
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        memo.answer(
                                "a",
                                () -> {
                                    throw new IllegalArgumentException();
                                }));
        assertThrows(RuntimeException.class, () -> memo.answer("a", this::work));
        assertEquals(0, runs.get());
    }

    private String work() {
        return String.valueOf(runs.incrementAndGet());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
