import { Failure } from '../failures/failures.ts';

const standIns = new WeakSet<object>();

/** Seconds after which the server of the lists is asked again. */
export const standInLifeS = 10;

/** Marks an empty list that takes the place of one that its server did not give. */
export function standIn<T extends object>(list: T): T {
  standIns.add(list);
  return list;
}

/** Whether a list is empty only because its server did not give it: what is made of it must not be kept. */
export const isStandIn = (list: object): boolean => standIns.has(list);

/** Throws for content that must not be made of a stand-in. @throws Failure `unavailable` */
export function refuseStandIn(list: object): void {
  if (isStandIn(list))
    throw new Failure('unavailable', { retryAfterS: standInLifeS, note: 'the content backend is away' });
}
