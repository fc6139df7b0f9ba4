import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOfRefusedHost, tiktokHosts } from './hosts.ts';

const isMedia = (host: string) => tiktokHosts['tiktok/media'].some((name) => name.test(host));

describe('hosts of media', () => {
  it.each([
    ...[
      'api16-normal-no1a.tiktokv.eu',
      'api16-normal-useast5.tiktokv.us',
      'v16.tiktokw.us',
      'v16.tiktokw.eu',
    ],
    ...['v16m.tiktokrow-cdn.com', 'v16m.tiktokeu-cdn.com', 'v16.ttcdn-us.com', 'v16m.tiktokcdn-us.com'],
    ...['v16-webapp-prime.us.tiktok.com', 'sf16-ies-music-va.tiktokcdn.com'],
  ])('%s is one', (host) => expect(isMedia(host)).toBe(true));

  it.each([
    ...['tiktokv.us', 'api.tiktokv.us.evil.example', 'eviltiktokv.us', 'a.eviltiktokv.us', 'v16.tiktokv.ru'],
    ...[
      'v16.tiktokvXus',
      'v16.tiktok-cdn.com',
      'v16.tiktokeu-cdn.eu',
      'v16.akamaized.net',
      'v16.xzcs3zlph.com',
    ],
  ])('%s is none', (host) => expect(isMedia(host)).toBe(false));

  it('is counted under a name of a short, closed list where it is refused', () => {
    expect(nameOfRefusedHost('v16.akamaized.net')).toBe('akamaized.net');
    expect(nameOfRefusedHost('v16m.tiktokjp-cdn.com')).toBe('another tiktok domain');
    expect(nameOfRefusedHost('v16.bytecdn9.net')).toBe('another byte domain');
    expect(nameOfRefusedHost('media.example.com')).toBe('other');
    const names = new Set<string>();
    fc.assert(fc.property(fc.domain(), (host) => void names.add(nameOfRefusedHost(host))));
    expect(names.size).toBeLessThan(22);
  });
});
