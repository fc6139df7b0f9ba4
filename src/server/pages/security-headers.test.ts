import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentSecurityPolicy } from './security-headers.ts';

const hash = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

test('inline scripts are named by hash, files by origin, nothing else may run', () => {
  const policy = contentSecurityPolicy(
    '<html><script>one()</script><script type="module" src="/_app/x.js"></script><script type="module" async="">import "/_app/y.js"</script></html>',
  );
  expect(policy).toContain(`script-src 'self' ${hash('one()')} ${hash('import "/_app/y.js"')}`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe/);
});
