import type { Check } from '../../../server/commands/checks.ts';

const limitMs = 10_000;

/** Whether the mail server accepts the log-in; no mail is sent. */
const mail: Check = {
  name: 'mail',
  todo: 'correct SMTP_URL; until then messages wait',
  async run({ environment: { SMTP_URL } }) {
    if (SMTP_URL === undefined)
      return [
        {
          level: 'ok',
          what: 'none is sent: messages of visitors are kept, and shown by the command "messages"',
          todo: 'to get them by mail, set SMTP_URL and CONTACT_TO',
        },
      ];
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url: SMTP_URL,
      connectionTimeout: limitMs,
      greetingTimeout: limitMs,
      socketTimeout: limitMs,
    });
    const { host } = new URL(SMTP_URL);
    try {
      await transport.verify();
      return [{ level: 'ok', what: `${host} lets us in` }];
    } catch (error) {
      const what = `${host}: ${(error as Error).message}`;
      return [{ level: 'error', what, todo: mail.todo }];
    } finally {
      transport.close();
    }
  },
};

export default [mail];
