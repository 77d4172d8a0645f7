package org.paimonbridge.check.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.paimon.utils.InstantiationUtil;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.paimonbridge.check.Rule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads files as a Spark job, where Spark runs here and has executors of its own. What travels is bytes of Java's own serialization,
 * made by this driver and read by its executors, so that no setting of Spark's serializer matters.
 */
public final class OnExecutors {

    private static final Logger LOG = LoggerFactory.getLogger(OnExecutors.class);
    private static final int TASKS_PER_CORE = 4;

    private OnExecutors() {}

    /** Problems by rule for every task, in their order; empty where there are no executors, or they lack the shim or Paimon. */
    public static Optional<List<Map<Rule, String>>> scan(List<ScanTask> tasks) {
        try {
            return tasks.size() < 2 || SparkEnv.get() == null ? Optional.empty() : scanWith(SparkContext.getOrCreate(), tasks);
        } catch (Exception | LinkageError e) {
            // The gate must judge all the same; reading on the driver is slower, not different.
            LOG.warn("The executors cannot read files for the gate (do they have the shim and Paimon?); the driver does", e);
            return Optional.empty();
        }
    }

    private static Optional<List<Map<Rule, String>>> scanWith(SparkContext spark, List<ScanTask> tasks) throws Exception {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark);
        if (context.isLocal()) {
            return Optional.empty();
        }
        List<byte[]> inputs = new ArrayList<>(tasks.size());
        for (ScanTask task : tasks) {
            inputs.add(InstantiationUtil.serializeObject(task));
        }
        int slices = Math.min(inputs.size(), TASKS_PER_CORE * context.defaultParallelism());
        List<Map<Rule, String>> results = new ArrayList<>(inputs.size());
        for (HashMap<String, String> answer : context.parallelize(inputs, slices).map(new ScanFunction()).collect()) {
            Map<Rule, String> problems = new HashMap<>();
            answer.forEach((rule, problem) -> problems.put(Rule.valueOf(rule), problem));
            results.add(problems);
        }
        return Optional.of(results);
    }

    /** Runs on executors. */
    private static final class ScanFunction implements Function<byte[], HashMap<String, String>> {

        private static final long serialVersionUID = 1L;

        @Override
        public HashMap<String, String> call(byte[] bytes) throws IOException, ClassNotFoundException {
            ScanTask task = InstantiationUtil.deserializeObject(bytes, OnExecutors.class.getClassLoader());
            HashMap<String, String> problems = new HashMap<>();
            FileScanner.scan(task).forEach((rule, problem) -> problems.put(rule.name(), problem));
            return problems;
        }
    }
}
