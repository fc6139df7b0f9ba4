import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail as it arrived. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header lines, unfolded (RFC 5322, section 2.2.3), and the body as it was sent. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** A mail server that accepts everything, refuses a number of mails first, or does not know some mailboxes. */
export interface MailServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Attempts, including refused ones. */
  attempts(): number;
  stop(): Promise<void>;
}

function read(lines: readonly string[], from: string, to: readonly string[]): ReceivedMail {
  const end = lines.indexOf('');
  const headers: string[] = [];
  for (const line of lines.slice(0, end)) {
    if (/^[ \t]/.test(line)) headers[headers.length - 1] += line;
    else headers.push(line);
  }
  return { from, to, headers, body: lines.slice(end + 1).join('\n') };
}

/**
 * Starts a mail server on the loopback interface that implements enough of SMTP (RFC 5321).
 * @param refusals number of mails that it refuses temporarily (451) before it accepts any
 * @param unknown mailboxes that it refuses permanently (550)
 */
export async function startMailServer(refusals = 0, unknown: readonly string[] = []): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let attempts = 0;

  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    socket.on('error', () => socket.destroy());
    const say = (line: string) => socket.write(`${line}\r\n`);
    let from = '';
    let to: string[] = [];
    let content: string[] | null = null;
    say('220 double');
    createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      if (content !== null) {
        if (line !== '.') {
          content.push(line.replace(/^\./, ''));
          return;
        }
        mails.push(read(content, from, to));
        content = null;
        say('250 taken');
        return;
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'MAIL') {
        attempts++;
        from = line.slice(10);
        to = [];
        say(attempts <= refusals ? '451 not now' : '250 ok');
      } else if (verb === 'RCPT') {
        const mailbox = line.slice(8);
        if (unknown.includes(mailbox)) say('550 no such mailbox');
        else {
          to.push(mailbox);
          say('250 ok');
        }
      } else if (verb === 'DATA') {
        content = [];
        say('354 go on');
      } else if (verb === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    attempts: () => attempts,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
