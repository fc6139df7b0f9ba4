import type { Command, Redis } from 'ioredis';

/** After how many looks without its answer a call breaks its connection, and the time between looks. */
const mostLooks = 10;
const lookMs = 100;

/**
 * Breaks a connection on which something was asked a second ago and is not answered: everything that waits for an
 * answer then fails. So no call takes longer, also where the server answers others meanwhile. Looks are counted and not
 * time: a process that was too busy itself to look has not seen a slow server.
 */
export function watchAnswers(client: Redis): void {
  /** When each was asked, and on which connection. Oldest first. */
  const waiting = new Map<Command, { readonly look: number; readonly stream: unknown }>();
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;

  /** When the oldest of this connection was asked; what waits for the next one is asked anew there. */
  function oldest(): number | null {
    for (const [command, { look, stream }] of waiting) {
      if (stream === client.stream) return look;
      waiting.delete(command);
    }
    return null;
  }

  function look(): void {
    looks += 1;
    const since = oldest();
    if (since === null) timer = undefined;
    else if (looks - since < mostLooks) timer = setTimeout(look, lookMs).unref();
    else {
      timer = undefined;
      waiting.clear();
      client.stream?.destroy(new Error('no answer'));
    }
  }

  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, stream) => {
    waiting.delete(command);
    waiting.set(command, { look: looks, stream: client.stream });
    const answered = () => void waiting.delete(command);
    command.promise.then(answered, answered);
    if (timer === undefined) timer = setTimeout(look, lookMs).unref();
    return send(command, stream);
  };
}
