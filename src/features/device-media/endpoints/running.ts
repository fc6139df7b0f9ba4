import type { FastifyReply } from 'fastify';
import { Failure } from '../../../failures/failures.ts';
import { onceClosed } from '../../../server/http/disconnect.ts';

const retryAfterS = 5;

/** Counts a response as running until it is closed. @throws Failure `overloaded` for more than `most` at once */
export function limitRunning(most: number): (reply: FastifyReply) => void {
  let running = 0;
  return ({ raw }) => {
    if (running >= most) throw new Failure('overloaded', { retryAfterS, note: `${running} are running` });
    running += 1;
    onceClosed(raw, () => {
      running -= 1;
    });
  };
}
