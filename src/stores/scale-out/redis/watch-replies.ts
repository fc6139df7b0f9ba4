import type { Command, Redis } from 'ioredis';

/** After how many looks without its answer a call breaks its connection, and the time between looks. */
const mostLooks = 10;
const lookMs = 100;

/**
 * Breaks a connection with a call that has been unanswered for a second, which fails everything that waits for a
 * response. So no call takes longer, even if the server responds to others. Checks are counted, not elapsed time: a
 * process that was itself too busy to check has not seen a slow server.
 */
export function watchReplies(client: Redis): void {
  /** The check at which each call was made, and its connection. Oldest first. */
  const waiting = new Map<Command, { readonly look: number; readonly stream: unknown }>();
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;

  /** When the connection's oldest call was made; calls waiting for the next connection are repeated there. */
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
