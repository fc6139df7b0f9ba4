import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';

/** Errors that contain sent text. @param length names of a body */
export function errorsWith(length: number) {
  const body = Object.fromEntries(Array.from({ length }, (_, n) => [`name ${n}`, 'a'.repeat(10)]));
  const { error } = z.strictObject({}).safeParse(body);
  const failure = new Failure('request_invalid', { cause: error });
  const nested = { deep: [[[[[[body]]]]]], body, long: 'a.'.repeat(6 * length) };
  return {
    'a failure': failure,
    'an error of zod': error ?? failure,
    'an error with more': Object.assign(new Error('x'), nested),
  };
}
