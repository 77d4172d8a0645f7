package org.paimonbridge.check.rule;

import java.io.IOException;

import org.apache.paimon.table.sink.CommitMessage;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.Findings;
import org.paimonbridge.codec.MessageDecoder;

/** Paimon decodes the verified bytes and writes the same bytes again, so that the verified view and Paimon's value agree. */
public final class ReserializesIdentically implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        MessageDecoder decoder = new MessageDecoder();
        for (CheckedMessage message : context.messages()) {
            if (!message.view().isPresent() || message.envelope().messageVersion() != decoder.version()) {
                continue;
            }
            findings.checked(1);
            try {
                CommitMessage decoded = decoder.decode(message.bytes());
                if (decoder.reserializesTo(decoded, message.bytes())) {
                    message.decoded(decoded);
                } else {
                    findings.error(message, "Paimon reads the message, but writes it back as other bytes.");
                }
            } catch (IOException | RuntimeException e) {
                findings.error(message, "Paimon cannot decode the message: " + e);
            }
        }
    }
}
