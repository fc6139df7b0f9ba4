/** Two names of one service, which takes no notice of dots (https://support.google.com/mail/answer/7436150). */
const gmail = /^@(?:gmail|googlemail)\.com$/;

/**
 * Normalises addresses so that those of one mailbox are equal, as far as known: ignores case and a suffix after a plus,
 * and dots for hosts that ignore them.
 */
export function mailboxOf(email: string): string {
  const [, name = '', host = ''] = /^([^+]*).*(@.*)$/s.exec(email.trim().toLowerCase()) ?? [];
  return gmail.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : name + host;
}
