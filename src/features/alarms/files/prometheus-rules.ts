import { stringify } from 'yaml';
import type { AlarmCondition } from '../condition.ts';
import { conditions } from '../conditions.ts';

/** `strategy-broken` is `ClipferryStrategyBroken`. */
const alertName = (name: string) =>
  `Clipferry${name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

const ruleOf = ({ name, title, advice, severity, lastsMs, prometheus }: AlarmCondition) => ({
  alert: alertName(name),
  expr: prometheus.expression,
  for: `${lastsMs / 60_000}m`,
  labels: { severity },
  annotations: { summary: title, description: prometheus.text, advice },
});

const head = `# Made by "npm run cli -- alarms files deploy" of src/features/alarms/conditions.ts, from which the site's own alarms come.
`;

/** Alerting rules of Prometheus, as YAML. */
export const prometheusRules = (): string =>
  head +
  stringify(
    { groups: [{ name: 'clipferry', interval: '1m', rules: conditions.map(ruleOf) }] },
    { lineWidth: 0 },
  );
