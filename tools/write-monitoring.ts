/**
 * Writes the rules for Prometheus and the dashboard for Grafana from the list of conditions that the site's own alarms
 * come from. With `--check` it only says whether the files are the list's.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { grafanaDashboard } from '../src/features/alarms/files/grafana-dashboard.ts';
import { prometheusRules } from '../src/features/alarms/files/prometheus-rules.ts';

const files = {
  'deploy/prometheus/clipferry.rules.yaml': prometheusRules(),
  'deploy/grafana/clipferry.json': grafanaDashboard(),
};

for (const [name, text] of Object.entries(files)) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${name} is stale: run \`node tools/write-monitoring.ts\``);
    process.exitCode = 1;
  }
}
