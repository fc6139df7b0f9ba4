import type { Redis } from 'ioredis';

/** How many looks without an answer are too many, and the time between them. */
const mostLooks = 9;
const lookMs = 100;

/**
 * Breaks a connection on which something was asked and nothing is answered for most of a second: everything that waits
 * for an answer then fails. Looks are counted and not time: a process that was too busy itself to look has not seen a
 * silent server.
 */
export function watchAnswers(client: Redis): void {
  let waiting = 0;
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    looks += 1;
    if (waiting === 0) timer = undefined;
    else if (looks > mostLooks) {
      timer = undefined;
      looks = 0;
      client.stream?.destroy(new Error('no answer'));
    } else timer = setTimeout(look, lookMs).unref();
  }

  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, stream) => {
    waiting += 1;
    const answered = () => {
      waiting -= 1;
      looks = 0;
    };
    command.promise.then(answered, answered);
    if (timer === undefined) {
      looks = 0;
      timer = setTimeout(look, lookMs).unref();
    }
    return send(command, stream);
  };
}
