import { globSync } from 'node:fs';
import { BlockList } from 'node:net';
import { describe, expect, test } from 'vitest';
import { longBodyBytes, usualBodyBytes } from '../src/server/http/bodies.ts';
import { all, compose, documentsOf, read, root, settingsOf, units } from './deploy-files.ts';

const kustomization = documentsOf('deploy/kubernetes/kustomization.yaml')[0];
const trustedBy: readonly string[] = [
  ...all(units.start, /TRUST_PROXY=(\S+)/g),
  settingsOf(compose, 'site').TRUST_PROXY ?? '',
  ...all(kustomization.configMapGenerator[0].literals.join('\n'), /^TRUST_PROXY=(.*)$/gm),
];

test('only proxies are trusted to name visitors, and not a whole network', () => {
  expect(trustedBy).toHaveLength(3);
  for (const block of trustedBy.flatMap((list) => list.split(',')))
    expect(Number(block.split('/')[1] ?? 32)).toBeGreaterThanOrEqual(28);
});

test('Compose has one file, and its proxy has the trusted address, which nobody else gets', () => {
  expect(globSync('deploy/compose/*.yaml', { cwd: root })).toEqual([compose]);
  const [{ services, networks }] = documentsOf(compose);
  const [{ subnet, ip_range: range }] = networks.front.ipam.config;
  const address = services.caddy.networks.front.ipv4_address;
  expect(settingsOf(compose, 'site').TRUST_PROXY).toBe(address);
  expect(isIn(subnet, address)).toBe(true);
  expect(isIn(range, address)).toBe(false);
});

function isIn(block: string, address: string): boolean {
  const [start = '', bits] = block.split('/');
  const list = new BlockList();
  list.addSubnet(start, Number(bits));
  return list.check(address);
}

describe('policies of the Kubernetes network', () => {
  const policies = documentsOf('deploy/kubernetes/network.yaml');
  /** The components that may connect to a pod's port. */
  const callers = (component: string, port: number) =>
    policies
      .filter(
        ({ spec: { podSelector } }) =>
          (podSelector.matchLabels?.['app.kubernetes.io/component'] ?? component) === component,
      )
      .flatMap(({ spec }) => spec.ingress ?? [])
      .filter(({ ports }) => ports.some((one: { port: number }) => one.port === port))
      .flatMap(({ from }) => from)
      .map(({ namespaceSelector }) => namespaceSelector.matchLabels['kubernetes.io/metadata.name']);

  test('are applied, and allow nothing that they do not name', () => {
    expect(kustomization.resources).toContain('network.yaml');
    expect(policies.map(({ spec }) => spec)).toContainEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  test('let visitors in through the ingress only, and only Prometheus to the metrics', () => {
    expect(callers('site', 3000)).toEqual(['nginx-ingress']);
    expect(callers('converter', 3000)).toEqual([]);
    expect(callers('site', 9464)).toEqual(['monitoring']);
    expect(callers('converter', 9464)).toEqual(['monitoring']);
    const { ports } = documentsOf('deploy/kubernetes/site.yaml')[0].spec.template.spec.containers[0];
    expect(ports.map((one: { containerPort: number }) => one.containerPort)).toEqual([3000, 9464]);
    expect(kustomization.configMapGenerator[0].literals).toContain('METRICS_PORT=9464');
  });

  test('let nothing out to nearby machines', () => {
    const blocks = policies.flatMap(({ spec }) =>
      (spec.egress ?? []).flatMap(({ to }: { to: { ipBlock?: { cidr: string; except?: string[] } }[] }) =>
        to.flatMap(({ ipBlock }) => ipBlock ?? []),
      ),
    );
    const mayAsk = (address: string) =>
      blocks.some(
        ({ cidr, except = [] }) =>
          isIn(cidr, address) && !except.some((block: string) => isIn(block, address)),
      );
    expect(['93.184.216.34', '10.0.20.4'].map(mayAsk)).toEqual([true, true]);
    expect(['169.254.169.254', '10.244.1.7', '192.168.0.1', '172.20.0.1'].filter(mayAsk)).toEqual([]);
  });
});

describe('in front of the site', () => {
  const nginx = read('deploy/nginx/clipferry.conf');
  const caddy = read('deploy/compose/Caddyfile');
  const ingresses = documentsOf('deploy/kubernetes/ingress.yaml').map(({ metadata, spec }) => ({
    annotations: metadata.annotations as Readonly<Record<string, string>>,
    paths: spec.rules.flatMap(({ http }: { http?: { paths: { path: string; pathType: string }[] } }) =>
      (http?.paths ?? []).map(({ path, pathType }) => (pathType === 'Exact' ? path : `${path}*`)),
    ) as string[],
  }));
  /** Of a size as nginx writes it. */
  const bytesOf = (size = '') =>
    Number.parseInt(size, 10) * (size.endsWith('k') ? 1024 : size.endsWith('m') ? 2 ** 20 : 1);

  test('bodies are as long as the site takes them, and longer ones go to addresses of the site that take them', () => {
    const ofLocations = all(nginx, /^ {4}location (.*?)^ {4}\}/gms)
      .map((text) => ({
        path: /^= (\S+)/.exec(text)?.[1],
        size: /client_max_body_size (\w+);/.exec(text)?.[1],
      }))
      .filter(({ size }) => size !== undefined)
      .map(({ path = '', size }) => [path, bytesOf(size)]);
    expect(Object.fromEntries(ofLocations)).toEqual(longBodyBytes);
    expect(all(nginx, /^ {4}client_max_body_size (\w+);/gm).map(bytesOf)).toEqual([usualBodyBytes]);

    const name = 'nginx.org/client-max-body-size';
    const usual = ingresses[0]?.annotations[name];
    const ofPaths = ingresses.flatMap(({ annotations, paths }) =>
      paths.map((path) => [path, bytesOf(annotations[name] ?? usual)]),
    );
    expect(Object.fromEntries(ofPaths)).toEqual({ '/*': usualBodyBytes, ...longBodyBytes });

    // Caddy passes on what comes, and the site refuses it.
    expect(caddy).toMatch(/reverse_proxy/);
    expect(caddy).not.toMatch(/^\s*(?:max_size|request_body|request_buffers)\b/m);
  });

  test('no instance is skipped because of what visitors sent to it', () => {
    const servers = all(nginx, /^ *(?:# )?server (\d.*);/gm);
    expect(servers.filter((server) => !server.endsWith(' max_fails=0'))).toEqual([]);
    expect(servers).not.toEqual([]);
    expect(caddy).not.toMatch(/^\s*(?:fail_duration|max_fails|unhealthy_\w+)\b/m);
    const [master, ...others] = ingresses.map(({ annotations }) => annotations);
    for (const one of others)
      expect({ ...(one['nginx.org/mergeable-ingress-type'] === 'minion' && master), ...one }).toMatchObject({
        'nginx.org/max-fails': '0',
      });
  });
});
