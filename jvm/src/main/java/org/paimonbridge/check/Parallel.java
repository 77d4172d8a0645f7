package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Runs one function over many inputs on a few threads that are gone afterwards. Answers come in the order of the inputs. */
public final class Parallel {

    // Enough to hide the waiting of object stores; the work itself is small.
    private static final int THREADS = 8;

    private Parallel() {}

    public static <T, R> List<R> map(List<T> inputs, Function<T, R> function) {
        if (inputs.size() < 2) {
            return inputs.stream().map(function).collect(Collectors.toList());
        }
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ExecutorService pool =
                Executors.newFixedThreadPool(
                        Math.min(THREADS, inputs.size()),
                        task -> {
                            Thread thread = new Thread(task, "paimon-bridge");
                            thread.setDaemon(true);
                            // Paimon finds its plug-ins through the context class loader, and Spark's holds them.
                            thread.setContextClassLoader(loader);
                            return thread;
                        });
        try {
            List<Callable<R>> tasks = new ArrayList<>(inputs.size());
            inputs.forEach(input -> tasks.add(() -> function.apply(input)));
            List<R> results = new ArrayList<>(inputs.size());
            for (Future<R> future : pool.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking at files", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            if (e.getCause() instanceof Error) {
                throw (Error) e.getCause();
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }
}
