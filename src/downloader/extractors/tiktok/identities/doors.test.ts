import { describe, expect, it } from 'vitest';
import { type Door, type DoorOutcome, Doors } from './doors.ts';
import { makeIdentities } from './identities.ts';

const identities = makeIdentities(undefined, 'Clipferry/1');
const nameOf = (door: Door | null) => (door === null ? null : `${door.identity.name} ${door.http}`);

/** Reads posts through doors as the page does. @returns the doors tried for each post */
function read(doors: Doors, posts: number, gate: (door: Door) => DoorOutcome, egress?: string) {
  const requests: string[][] = [];
  for (let post = 0; post < posts; post += 1) {
    const tried: Door[] = [];
    while (tried.length < 3) {
      const door = doors.next(egress, tried);
      if (door === null) break;
      tried.push(door);
      const outcome = gate(door);
      doors.report(egress, door, outcome);
      if (outcome === 'shut') continue;
      const other = doors.explore(egress, door);
      if (other !== null) {
        tried.push(other);
        doors.report(egress, other, gate(other));
      }
      break;
    }
    requests.push(tried.map((door) => nameOf(door) ?? ''));
  }
  return requests;
}

const sum = (requests: readonly string[][]) => requests.reduce((all, { length }) => all + length, 0);

describe('doors', () => {
  it('are tried by kind: desktop, phone, own name', () => {
    const [tried] = read(new Doors(identities), 1, () => 'shut');
    expect(tried).toEqual(['chrome 2', 'iphone 2', 'own-name 1.1']);
  });

  it.each([
    ['desktop', ({ identity }: Door) => identity.kind === 'desktop'],
    ['phone', ({ identity }: Door) => identity.kind === 'phone'],
    ['honest', ({ identity }: Door) => identity.kind === 'honest'],
    ['HTTP/1.1', ({ http }: Door) => http === '1.1'],
    ['HTTP/2', ({ http }: Door) => http === '2'],
  ])('find the open one (%s) within three requests, and ask it alone from then on', (_, isOpen) => {
    const doors = new Doors(identities);
    const requests = read(doors, 1000, (door) => (isOpen(door) ? 'whole' : 'shut'));
    expect(requests[0]?.length).toBeLessThanOrEqual(3);
    expect(sum(requests.slice(1))).toBeLessThanOrEqual(1.1 * 999);
  });

  it('notice a door that shuts with the next post, and one that opens within twenty', () => {
    const doors = new Doors(identities);
    read(doors, 50, ({ identity }) => (identity.kind === 'desktop' ? 'whole' : 'shut'));
    const [shut] = read(doors, 1, ({ identity }) => (identity.kind === 'phone' ? 'plain' : 'shut'));
    expect(shut?.some((name) => name.startsWith('iphone'))).toBe(true);
    read(doors, 50, ({ identity }) => (identity.kind === 'phone' ? 'plain' : 'shut'));
    const later = read(doors, 25, ({ identity }) => (identity.kind === 'phone' ? 'plain' : 'whole'));
    // It is better than the one in use, so it takes its place.
    expect(later.slice(20).every(([first]) => !first?.startsWith('iphone'))).toBe(true);
  });

  it('of each kind that was shut are tried again, and those that are known to answer are not', () => {
    const doors = new Doors(identities);
    read(doors, 50, ({ identity }) => (identity.kind === 'desktop' ? 'whole' : 'shut'));
    const opened = read(doors, 23, () => 'whole').flat();
    expect(opened).toContain('own-name 1.1');
    expect(opened.some((name) => /iphone|android/.test(name))).toBe(true);
    expect(sum(read(doors, 100, () => 'whole'))).toBe(100);
  });

  it('with new cookies are tried first again after refusals', () => {
    const doors = new Doors(identities);
    const [door] = [doors.next(undefined, [])];
    if (door === null) return expect.unreachable();
    read(doors, 1, () => 'shut');
    expect(doors.next(undefined, [])).not.toBe(door);
    doors.renew(undefined, door);
    expect(doors.next(undefined, [])).toBe(door);
  });

  it('are remembered for each egress', () => {
    const doors = new Doors(identities);
    read(doors, 3, ({ identity }) => (identity.kind === 'phone' ? 'whole' : 'shut'), 'a');
    expect(nameOf(doors.next('a', []))).toBe('iphone 2');
    expect(nameOf(doors.next('b', []))).toBe('chrome 2');
  });

  it('are not left for a single refusal', () => {
    const doors = new Doors(identities);
    read(doors, 5, () => 'whole');
    const [first] = [doors.next(undefined, [])];
    if (first === null) return expect.unreachable();
    doors.report(undefined, first, 'shut');
    expect(doors.next(undefined, [])).toBe(first);
    doors.report(undefined, first, 'shut');
    expect(doors.next(undefined, [])).not.toBe(first);
  });

  it('are all tried in turn while all are shut', () => {
    const doors = new Doors(identities);
    const tried = new Set(read(doors, 6, () => 'shut').flat());
    expect(tried.size).toBe(identities.reduce((count, { http }) => count + http.length, 0));
    expect(doors.states().every(({ isShut }) => isShut)).toBe(true);
  });
});
