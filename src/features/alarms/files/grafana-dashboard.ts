import type { Panel } from '../condition.ts';
import { conditions } from '../conditions.ts';

const columns = 24;
const width = 12;
const height = 8;
const rowHeight = 1;

/** Chosen by whoever imports the dashboard. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in
const datasource = { type: 'prometheus', uid: '${datasource}' };

const panelOf = ({ title, unit, queries }: Panel, x: number, y: number, id: number) => ({
  id,
  title,
  type: 'timeseries',
  datasource,
  gridPos: { x, y, w: width, h: height },
  fieldConfig: {
    defaults: { unit, min: 0, ...(unit === 'percentunit' && { max: 1 }) },
    overrides: [],
  },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
  targets: queries.map(({ expression, legend }, at) => ({
    refId: String.fromCharCode(65 + at),
    datasource,
    expr: expression,
    legendFormat: legend,
  })),
});

/** A row for each condition, and its panels side by side below. */
function layOut() {
  const panels: object[] = [];
  let y = 0;
  let id = 0;
  for (const { title, panels: own } of conditions) {
    id += 1;
    panels.push({
      ...{ id, title, type: 'row', collapsed: false, panels: [] },
      gridPos: { x: 0, y, w: columns, h: rowHeight },
    });
    y += rowHeight;
    for (const [at, panel] of own.entries()) {
      id += 1;
      const x = (at * width) % columns;
      panels.push(panelOf(panel, x, y, id));
      if (x + width >= columns || at === own.length - 1) y += height;
    }
  }
  return panels;
}

/** A dashboard of Grafana, as JSON. */
export const grafanaDashboard = (): string =>
  `${JSON.stringify(
    {
      title: 'Clipferry',
      uid: 'clipferry',
      tags: ['clipferry'],
      timezone: 'utc',
      schemaVersion: 39,
      version: 1,
      editable: true,
      refresh: '1m',
      time: { from: 'now-24h', to: 'now' },
      templating: {
        list: [
          {
            ...{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
            ...{ current: {}, hide: 0, refresh: 1 },
          },
        ],
      },
      annotations: { list: [] },
      panels: layOut(),
    },
    null,
    2,
  )}\n`;
