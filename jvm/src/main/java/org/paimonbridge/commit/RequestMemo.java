package org.paimonbridge.commit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Answers a repeated request with the first answer. Py4J sends a command again by itself when the answer does not arrive, and the first
 * sending may still be at work; the second one then waits for it.
 */
public final class RequestMemo {

    private static final int REMEMBERED = 256;

    private final Map<String, CompletableFuture<String>> answers =
            new LinkedHashMap<String, CompletableFuture<String>>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, CompletableFuture<String>> eldest) {
                    return size() > REMEMBERED && eldest.getValue().isDone();
                }
            };

    /** The answer to {@code requestId}; a null id is never a repetition. {@code work} must not throw. */
    public String answer(String requestId, Supplier<String> work) {
        if (requestId == null) {
            return work.get();
        }
        CompletableFuture<String> mine = new CompletableFuture<>();
        CompletableFuture<String> first;
        synchronized (answers) {
            first = answers.putIfAbsent(requestId, mine);
        }
        if (first != null) {
            return first.join();
        }
        try {
            mine.complete(work.get());
        } finally {
            // Only where the work broke its promise; a waiting repetition must not wait for ever.
            mine.completeExceptionally(new IllegalStateException("the first sending of this request failed"));
        }
        return mine.join();
    }
}
