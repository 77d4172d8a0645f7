package org.paimonbridge.commit;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One commit at a time per table and commit user, inside this JVM. Two commits that share user and identifier would otherwise take
 * each other's snapshot for their own, and one would be lost without an error. Different users go side by side, but for rare chance.
 */
final class CommitLocks {

    private static final Lock[] STRIPES = new Lock[64];

    static {
        for (int i = 0; i < STRIPES.length; i++) {
            STRIPES[i] = new ReentrantLock();
        }
    }

    private CommitLocks() {}

    static Lock of(String tablePath, String user) {
        return STRIPES[Math.floorMod((tablePath + "\n" + user).hashCode(), STRIPES.length)];
    }
}
