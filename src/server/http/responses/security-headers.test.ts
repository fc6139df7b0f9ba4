import { expect, test } from 'vitest';
import { commonHeaders, contentSecurityPolicy } from './security-headers.ts';

test('allows inline scripts that the renderer names, files of ours, and nothing else', () => {
  const policy = contentSecurityPolicy("'sha256-one' 'sha256-two'");
  expect(policy).toMatch(/; script-src 'self' 'sha256-one' 'sha256-two'$/);
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe/);
  expect(contentSecurityPolicy()).toMatch(/; script-src 'self'$/);
});

test('allows reports to the configured address, and keeps the rest of the policy', () => {
  const policy = contentSecurityPolicy('', { connect: ['https://counts.example'] });
  expect(policy).toContain("; connect-src 'self' https://counts.example;");
  expect(policy.replace(' https://counts.example', '')).toBe(contentSecurityPolicy());
});

test.each([true, false])('requested over TLS: %s', (isSecure) => {
  const headers = commonHeaders(isSecure);
  expect('strict-transport-security' in headers).toBe(isSecure);
  expect(headers).toMatchObject({
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
});
