import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { makeIdentity } from './identity.ts';
import { Jar } from './jar.ts';
import { Jars } from './jars.ts';

const page = 'https://www.tiktok.com/@i/video/7';
const media = 'https://v16-webapp-prime.tiktok.com/x';
let now = 1_790_000_000_000;
const jarWith = (...lines: string[]) => {
  const jar = new Jar(() => now);
  jar.store(page, lines);
  return jar;
};

describe('a jar', () => {
  it('sends cookies to the hosts, paths and for the time that they were given', () => {
    const jar = jarWith(
      'ttwid=1%7Cx==; Domain=.tiktok.com; Path=/; Max-Age=60; HttpOnly; Secure',
      'here=1',
      'deep=1; Domain=tiktok.com; Path=/@i',
    );
    expect(jar.headerFor(page)).toBe('ttwid=1%7Cx==; here=1; deep=1');
    expect(jar.headerFor(media)).toBe('ttwid=1%7Cx==');
    expect(jar.headerFor('https://m.tiktok.com/v/7.html')).toBe('ttwid=1%7Cx==');
    expect(jar.headerFor('https://www.tiktok.com/@include')).toBe('ttwid=1%7Cx==');
    expect(jar.headerFor('https://v16m.tiktokcdn-us.com/x')).toBeNull();
    now += 60_000;
    expect(jar.headerFor(media)).toBeNull();
  });

  it('takes a later value, and forgets what is said to have expired', () => {
    const jar = jarWith('a=1; Path=/', 'a=2; Path=/', 'b=1; Path=/');
    expect(jar.headerFor(page)).toBe('a=2; b=1');
    jar.store(page, ['a=; Path=/; Max-Age=0', 'b=x; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
    expect([jar.headerFor(page), jar.size]).toEqual([null, 0]);
  });

  test.each([
    'x=1; Domain=.example.com',
    'x=1; Domain=.com',
    'x=1; Domain=com',
    'x=1; Domain=.eviltiktok.com',
    'x=1; Domain=v16.tiktok.com',
    '=nameless',
    'nothing',
    'tab=a\tb',
    'line=a\r\nset-cookie: y=1',
    'quoted="a"',
    `large=${'x'.repeat(8_000)}`,
  ])('does not take %j', (line) => {
    expect(jarWith(line).size).toBe(0);
  });

  it('is bounded, the newest stay', () => {
    const jar = jarWith(...Array.from({ length: 500 }, (_, n) => `c${n}=${n}; Path=/`));
    expect(jar.size).toBe(40);
    expect(jar.headerFor(page)).toContain('c499=499');
    const large = jarWith(...Array.from({ length: 40 }, (_, n) => `c${n}=${'x'.repeat(1_900)}; Path=/`));
    expect(large.headerFor(page)?.length).toBeLessThanOrEqual(4_096);
  });

  it('sends nothing that was not received from the same company, and no character that ends a header', () => {
    const text = fc.string({ unit: fc.constantFrom(...'a1=;,."\\ \t\r\n%.tiktokcom'), maxLength: 60 });
    const host = fc.constantFrom('www.tiktok.com', 'vm.tiktok.com', 'm.tiktok.com', 'www.tiktokv.com');
    fc.assert(
      fc.property(fc.array(fc.tuple(host, text), { maxLength: 20 }), host, (lines, asked) => {
        const jar = new Jar(() => now);
        for (const [from, line] of lines) jar.store(`https://${from}/`, [line]);
        const header = jar.headerFor(`https://${asked}/`) ?? '';
        expect(header).not.toMatch(/[\r\n\t"\\]/);
        const domain = asked.split('.').slice(-2).join('.');
        // White space around a name and its value is not theirs (RFC 6265, section 5.2).
        const received = lines
          .filter(([from]) => from.endsWith(domain))
          .map(([, line]) => line.trim().replace(/\s*=\s*/, '='));
        for (const pair of header.split('; ').filter(Boolean))
          expect(received.some((line) => line.startsWith(pair))).toBe(true);
      }),
    );
  });
});

describe('jars', () => {
  const [one, other] = [makeIdentity('one', 'One/1'), makeIdentity('other', 'Other/1')];

  it('are apart for each egress and identity, and end by a challenge or by age', () => {
    const jars = new Jars(() => now);
    jars.of('a', one).store(page, ['x=1; Path=/']);
    expect(jars.of('a', one).headerFor(page)).toBe('x=1');
    for (const jar of [jars.of('b', one), jars.of('a', other), jars.of(undefined, one)])
      expect(jar.headerFor(page)).toBeNull();
    expect(jars.states().find(({ egress, identity }) => egress === 'a' && identity === 'one')).toEqual({
      ...{ egress: 'a', identity: 'one', cookies: 1, ageS: 0 },
    });
    now += 7 * 3_600_000;
    expect(jars.of('a', one).headerFor(page)).toBeNull();
    jars.of('a', one).store(page, ['x=1; Path=/']);
    jars.discard('a', one);
    expect(jars.of('a', one).headerFor(page)).toBeNull();
  });

  it('are warmed at the home page once in ten minutes by each egress, in turns', () => {
    const jars = new Jars(() => now);
    const list = [one, other];
    const next = () => ['a', 'b'].map((egress) => jars.nextAtHome(egress, list)?.name ?? null);
    const [first, second] = list.map(({ name }) => name);
    expect([next(), next()]).toEqual([
      [first, first],
      [null, null],
    ]);
    now += 600_000;
    expect(next()).toEqual([second, second]);
    now += 600_000;
    expect(next()).toEqual([first, first]);
  });
});
