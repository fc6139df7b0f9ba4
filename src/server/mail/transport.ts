/** A mail server that says nothing for this long is as good as away. */
const sendLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Opens the way to the mail server. The library is loaded where mails are sent alone. */
export async function openMailTransport(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, ...sendLimits });
}
