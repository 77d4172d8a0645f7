package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.Findings;
import org.paimonbridge.verify.MalformedBytesException;
import org.paimonbridge.verify.MessageVerifier;

/** Every byte is accounted for before Paimon's decoder, which reads memory unchecked, sees one. */
public final class BytesWellFormed implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        for (CheckedMessage message : context.messages()) {
            int version = message.envelope().messageVersion();
            if (!MessageVerifier.knows(version)) {
                continue; // MESSAGE_VERSION has said so
            }
            findings.checked(1);
            try {
                message.verified(MessageVerifier.verify(version, message.bytes()));
            } catch (MalformedBytesException e) {
                findings.error(message, "The bytes are no message of version " + version + ": " + e.getMessage() + ".");
            }
        }
    }
}
