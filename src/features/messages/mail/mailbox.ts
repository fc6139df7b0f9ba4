/** Two names of one service, which takes no notice of dots (https://support.google.com/mail/answer/7436150). */
const gmail = /^@(?:gmail|googlemail)\.com$/;

/**
 * Addresses that reach the same mailbox, as far as that can be told: case and what follows a plus do not matter, nor do
 * dots where it is known of the host.
 */
export function mailboxOf(email: string): string {
  const [, name = '', host = ''] = /^([^+]*).*(@.*)$/s.exec(email.trim().toLowerCase()) ?? [];
  return gmail.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : name + host;
}
