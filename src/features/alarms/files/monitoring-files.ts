import { grafanaDashboard } from './grafana-dashboard.ts';
import { prometheusRules } from './prometheus-rules.ts';

/** Files for other programs, by their paths below `deploy/`. */
export const monitoringFiles = (): Readonly<Record<string, string>> => ({
  'prometheus/clipferry.rules.yaml': prometheusRules(),
  'grafana/clipferry.json': grafanaDashboard(),
});
