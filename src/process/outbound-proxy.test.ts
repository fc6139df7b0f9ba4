import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  OutboundProxyError,
  parseOutboundProxies,
  proxyAddress,
  withoutProxyCredentials,
} from './outbound-proxy.ts';

const only = (text: string) => {
  const [proxy, ...others] = parseOutboundProxies(text);
  if (proxy === undefined || others.length > 0) throw new Error('not one proxy');
  return proxy;
};

describe('a list of proxies', () => {
  it('is read in its order, whatever separates its entries', () => {
    const list = parseOutboundProxies(' http://a.example:3128,\n https://b.example\tsocks5://10.0.0.1 , ');
    expect(list.map(({ label }) => label)).toEqual([
      'http://a.example:3128',
      'https://b.example:443',
      'socks5://10.0.0.1:1080',
    ]);
  });

  it('knows schemes in any case, the alias of socks5, addresses and encoded credentials', () => {
    expect(only('HTTP://Proxy.Example:80')).toMatchObject({
      protocol: 'http',
      host: 'proxy.example',
      port: 80,
      credentials: null,
    });
    expect(only('socks5h://[::1]:9050/')).toMatchObject({ protocol: 'socks5', host: '::1', port: 9050 });
    expect(only('https://us%40er:p%3Aw%2F@[2001:db8::2]')).toMatchObject({
      label: 'https://[2001:db8::2]:443',
      credentials: { username: 'us@er', password: 'p:w/' },
    });
    expect(only('http://user@a.example')).toMatchObject({ credentials: { username: 'user', password: '' } });
  });

  it.each([
    ['', 'must name at least one proxy'],
    [' , ', 'must name at least one proxy'],
    ['proxy.example:3128', 'entry 1 of 1 must be an address'],
    ['http://a.example socks4://b.example', 'entry 2 of 2 must be an address'],
    ['ftp://a.example', 'entry 1 of 1 must be an address'],
    ['http://', 'entry 1 of 1 must be an address'],
    ['http://a.example/path', 'entry 1 of 1 must be an address'],
    ['http://a.example?x=1', 'entry 1 of 1 must be an address'],
    ['http://us:er:name@a.example', 'entry 1 of 1 must be an address'],
    ['http://999.1.1.1', 'entry 1 of 1 must be an address'],
    ['http://[::zz]', 'entry 1 of 1 must be an address'],
    ['http://a.example:0', 'must have a port from 1 to 65535'],
    ['http://a.example:65536', 'must have a port from 1 to 65535'],
    ['http://user:%zz@a.example', 'percent-encoded'],
    ['http://user:%0d%0a@a.example', 'percent-encoded'],
    ['socks5://user@a.example', 'a user and a password of 1 to 255 bytes'],
    [`socks5://user:${'x'.repeat(256)}@a.example`, 'a user and a password of 1 to 255 bytes'],
    ['http://a.example, http://A.EXAMPLE:80', 'entries 1 and 2 are the same proxy'],
    [Array.from({ length: 1001 }, (_, at) => `http://p${at}.example`).join(), 'at most 1000'],
  ])('refuses %j', (text, message) => {
    expect(() => parseOutboundProxies(text)).toThrow(OutboundProxyError);
    expect(() => parseOutboundProxies(text)).toThrow(message);
  });

  it('distinguishes proxies that differ only in their credentials', () => {
    const [one, other] = parseOutboundProxies(
      'http://u:session-1@gate.example:7000 http://u:session-2@gate.example:7000',
    );
    expect(one?.label).toBe(other?.label);
    expect(one?.id).not.toBe(other?.id);
    expect(only('http://u:session-1@gate.example:7000').id).toBe(one?.id);
  });

  const word = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }).filter((text) => {
    const bytes = Buffer.byteLength(text);
    return text.isWellFormed() && !/\p{Cc}/u.test(text) && bytes > 0 && bytes <= 255;
  });

  it('returns what was written, for every user and password', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('http', 'https', 'socks5'),
        fc.option(fc.record({ username: word, password: word })),
        fc.constantFrom('proxy.example', '192.0.2.7', '2001:db8::7'),
        fc.integer({ min: 1, max: 65_535 }),
        (protocol, credentials, host, port) => {
          const text = proxyAddress({
            ...{ id: '', label: '', protocol: protocol as 'http', host, port, credentials },
          });
          const proxy = only(text);
          expect(proxy).toMatchObject({ protocol, host, port, credentials });
          expect(proxyAddress(proxy)).toBe(text);
        },
      ),
    );
  });

  it('never quotes a wrong entry, and fails in no other way', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 40 }), (noise) => {
        const secret = `s3cret${noise.replace(/[\s,]/g, '')}`;
        for (const text of [secret, `http://user:${secret}@`, `socks5://${secret}:x@host:99999`]) {
          try {
            parseOutboundProxies(text);
          } catch (error) {
            expect(error).toBeInstanceOf(OutboundProxyError);
            expect((error as Error).message).not.toContain('s3cret');
            expect((error as Error).message).not.toContain('\n');
          }
        }
      }),
    );
  });

  it("removes a proxy's credentials from the output of another program", () => {
    const proxy = only('http://me:p%40ss@a.example:3128');
    const output = `cannot connect to ${proxyAddress(proxy)} as me with p@ss`;
    const clean = withoutProxyCredentials(output, proxy);
    expect(clean).not.toMatch(/p@ss|p%40ss/);
    expect(withoutProxyCredentials(output, only('http://a.example'))).toBe(output);
  });
});
