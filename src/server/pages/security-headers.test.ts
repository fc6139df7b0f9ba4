import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { commonHeaderList, commonHeaders, contentSecurityPolicy } from './security-headers.ts';

const hash = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

test('inline scripts are named by hash, files by origin, nothing else may run', () => {
  const policy = contentSecurityPolicy(
    Buffer.from(
      '<html><script>one()</script><script type="module" src="/_app/x.js"></script><script type="module" async="">import "/_app/y.js"</script><script type="application/ld+json">{"data":1}</script></html>',
    ),
  );
  expect(policy).not.toContain(hash('{"data":1}'));
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain(`script-src 'self' ${hash('one()')} ${hash('import "/_app/y.js"')}`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe/);
});

test.each([true, false])('asked over TLS: %s', (isSecure) => {
  const headers = commonHeaders(isSecure);
  expect('strict-transport-security' in headers).toBe(isSecure);
  expect(commonHeaderList(isSecure)).toEqual(Object.entries(headers).flat());
  expect(headers).toMatchObject({
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
});
