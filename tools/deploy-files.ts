/** Reads the files that deploy the product, for their tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const root = join(import.meta.dirname, '..');
export const compose = 'deploy/compose/compose.yaml';

export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The first group of each match. */
export const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

export const units = {
  start: read('deploy/systemd/clipferry.service'),
  jobs: read('deploy/systemd/clipferry-jobs.service'),
};

/** The documents of a YAML file. */
export const documentsOf = (path: string) =>
  parseAllDocuments(read(path), { merge: true }).map((document) => document.toJS());

/** The Compose file's services, or the containers of a Kubernetes file, by name. */
export function settingsOf(path: string, name: string): Record<string, string> {
  const [tree] = parseAllDocuments(read(path), { merge: true }).map((document) => document.toJS());
  if (tree.services !== undefined) return tree.services[name].environment;
  const { env = [] } = tree.spec.template.spec.containers.find((one: { name: string }) => one.name === name);
  return Object.fromEntries(env.map((one: { name: string; value: string }) => [one.name, one.value]));
}
