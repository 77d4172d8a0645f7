package org.paimonbridge;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.paimonbridge.error.BridgeException;
import org.paimonbridge.error.ErrorKind;
import org.paimonbridge.error.Errors;
import org.paimonbridge.error.Secrets;
import org.paimonbridge.json.Json;
import org.paimonbridge.release.PaimonRelease;

/** Turns the end of a call, good or bad, into the JSON that crosses the gateway. Secrets of the catalog do not cross. */
final class Answer {

    private static final String WITHOUT_PAIMON =
            "{\"ok\":false,\"error\":{\"kind\":\"SHIM\",\"code\":\"PAIMON_MISSING\","
                    + "\"message\":\"The shim is on the driver's class path, but Paimon is not.\",\"where\":\"\","
                    + "\"remedy\":\"Add the Paimon jar, as configure() does.\",\"cause\":\"\",\"stackTrace\":\"\",\"details\":{}}}";

    /** The work of one call, given the catalog options. */
    interface Work {
        Object run(Map<String, String> catalogOptions) throws Exception;
    }

    private Answer() {}

    static String of(String catalogOptionsJson, Work work) {
        Secrets secrets = Secrets.none();
        Map<String, Object> answer = new LinkedHashMap<>();
        try {
            Map<String, String> options = Json.parseStringMap("the catalog options", catalogOptionsJson);
            secrets = Secrets.of(options);
            answer.put("ok", true);
            answer.put("value", work.run(options));
        } catch (Throwable e) {
            // Everything: an Error that reached Py4J would be a text without a code, and Python could not tell what happened.
            answer.clear();
            answer.put("ok", false);
            answer.put("error", error(e));
        }
        try {
            return secrets.redact(Json.write(answer));
        } catch (LinkageError e) {
            // The JSON writer is Paimon's own.
            return WITHOUT_PAIMON;
        }
    }

    /** Null where the request cannot be read; the call itself then says why. */
    static String requestId(String requestJson) {
        try {
            return Json.text(Json.parseObject("the request", requestJson), "requestId", null);
        } catch (RuntimeException | LinkageError e) {
            return null;
        }
    }

    private static Map<String, Object> error(Throwable e) {
        if (e instanceof BridgeException) {
            BridgeException known = (BridgeException) e;
            return error(known.kind(), known.code(), known.getMessage(), known.where(), known.remedy(), known.details(), e);
        }
        if (e instanceof LinkageError) {
            return error(
                    ErrorKind.SHIM,
                    "PAIMON_INCOMPATIBLE",
                    "The shim and Paimon " + release() + " on this driver do not fit together: " + e,
                    "",
                    "Use a Paimon release that this version of paimon-bridge supports, one copy of it, and Spark's own Hadoop classes.",
                    Collections.emptyMap(),
                    e);
        }
        return error(
                ErrorKind.INTERNAL,
                "INTERNAL",
                "The shim failed: " + Errors.firstLine(e),
                "",
                "Report this with the stack trace.",
                Collections.emptyMap(),
                e);
    }

    private static Map<String, Object> error(
            ErrorKind kind, String code, String message, String where, String remedy, Map<String, Object> details, Throwable e) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("kind", kind.name());
        error.put("code", code);
        error.put("message", message);
        error.put("where", where);
        error.put("remedy", remedy);
        error.put("cause", e.getCause() == null ? "" : e.getCause().getClass().getName() + ": " + e.getCause().getMessage());
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        error.put("stackTrace", trace.toString());
        error.put("details", details);
        return error;
    }

    private static String release() {
        try {
            return PaimonRelease.version();
        } catch (LinkageError e) {
            return "(unknown)";
        }
    }
}
