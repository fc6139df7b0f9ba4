import { breakerOpen } from '../../../../downloader/extractors/readings.ts';
import { Badge, DataTable, Facts, Section, Time } from '../../../../server/desk/components.tsx';
import { roomText } from '../../../../server/desk/texts.ts';
import { Bars, Numbers } from '../charts.tsx';
import type { NowData } from './page.ts';

const numbers = new Intl.NumberFormat('en-GB');
const percents = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });
const spanNames = ['1 h', '24 h', '7 days'] as const;

const percent = (share: number | null) => (share === null ? '–' : percents.format(share));
const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;

/** How the site fares now: the platform, new forms of posts, and every instance. */
export function NowView({ data }: { data: NowData }) {
  return (
    <>
      <Headline links={data.links} />
      <p className="desk-hint">
        As of <Time at={data.at} />, and shown anew every 30 seconds. “1 h” is this hour of the clock and the
        one before, “7 days” is today and the six days before, in UTC.
      </p>
      {data.alarms.map(({ id, condition, text, since }) => (
        <p key={id} className="desk-notice" data-kind="failed">
          {text} Since <Time at={since} />. <a href={`/operator/alarms/${condition}`}>What to do</a>
        </p>
      ))}
      <Section title="Strategies">
        {data.strategies.length === 0 && <p className="desk-empty">Nothing was read within 7 days.</p>}
        <ul className="figures-cards">
          {data.strategies.map((strategy) => (
            <Strategy key={strategy.name} strategy={strategy} />
          ))}
        </ul>
      </Section>
      <Section title="Reasons">
        <div className="figures-pair">
          <Counts title="Answers of all strategies" rows={data.reasons} />
          <Counts title="What visitors got, links and files" rows={data.posts} />
        </div>
      </Section>
      <Section title="User agents and proxies">
        <div className="figures-pair">
          <Shares title="By user agent" head="Strategy and user agent" rows={data.agents} />
          <Shares title="By proxy" head="Proxy" rows={data.egresses} />
        </div>
      </Section>
      <Section title="New forms of posts">
        <DataTable
          caption="New forms of posts"
          empty="None."
          rows={data.shapes}
          keyOf={({ strategy, kind, name }) => `${strategy} ${kind} ${name}`}
          columns={[
            { title: 'Strategy', cell: ({ strategy }) => strategy },
            { title: 'What', cell: ({ kind }) => kinds[kind] },
            { title: 'Where', cell: ({ name }) => <code>{name}</code> },
            { title: 'Since', cell: ({ firstSeen }) => <Time at={firstSeen} /> },
            { title: 'Last', cell: ({ lastSeen }) => <Time at={lastSeen} /> },
            { title: 'In 24 h', isNumber: true, cell: ({ totals }) => numbers.format(totals[1] ?? 0) },
            { title: 'Example', cell: ({ example }) => <code>{example}</code> },
          ]}
        />
      </Section>
      <Section title="Instances">
        {data.instances.length === 0 && (
          <p className="desk-empty">None has told how it fares yet; each does every 15 seconds.</p>
        )}
        <ul className="figures-cards">
          {data.instances.map((instance) => (
            <Instance key={instance.id} instance={instance} />
          ))}
        </ul>
      </Section>
    </>
  );
}

const kinds = {
  field: 'a field that was not there',
  type: 'another type',
  value: 'another value',
  host: 'media at an unknown host',
  unreadable: 'cannot be read: lacks',
} as const;

/** How links fare: what somebody on call wants to know first. */
function Headline({ links: { succeeded, asked } }: Pick<NowData, 'links'>) {
  if (asked === 0) return <p className="figures-headline">links: nobody has asked in five minutes</p>;
  const kind = succeeded / asked < 0.8 ? 'failed' : 'done';
  return (
    <p className="figures-headline desk-notice" data-kind={kind}>
      links: <strong>{numbers.format(succeeded)}</strong> of {numbers.format(asked)} in five minutes
    </p>
  );
}

/** A key in words, and how it is mended. */
function ReasonCell({ reason, isFailure }: Pick<NowData['reasons'][number], 'reason' | 'isFailure'>) {
  const { words, todo } = reasonFor(reason);
  return (
    <>
      {isFailure ? <Badge kind="bad">{words}</Badge> : words}
      {todo !== undefined && (
        <span className="figures-todo">
          {todo} <code>{reason}</code>
        </span>
      )}
    </>
  );
}

function Strategy({ strategy: { name, spans, chart, open } }: { strategy: NowData['strategies'][number] }) {
  const [, day] = spans;
  return (
    <li>
      <h3>
        {name}{' '}
        <Badge kind={open > 0 ? 'bad' : 'good'}>{open > 0 ? `breaker open on ${open}` : 'closed'}</Badge>
      </h3>
      <dl className="figures-spans">
        {spans.map(({ share, total }, at) => (
          <div key={spanNames[at]}>
            <dt>{spanNames[at]}</dt>
            <dd>
              <strong>{percent(share)}</strong> of {numbers.format(total)}
            </dd>
          </div>
        ))}
      </dl>
      <Bars
        chart={chart}
        height={56}
        label={`${name}: share that succeeded, by hour of 7 days. ${percent(day?.share ?? null)} within 24 hours.`}
      />
    </li>
  );
}

function Counts({ title, rows }: { title: string; rows: NowData['reasons'] }) {
  return (
    <Numbers
      title={title}
      empty="None within 7 days."
      head={['Outcome', ...spanNames]}
      rows={rows.map(({ reason, isFailure, totals }) => [
        <ReasonCell key="reason" reason={reason} isFailure={isFailure} />,
        ...totals.map((total) => numbers.format(total)),
      ])}
    />
  );
}

function Shares({ title, head, rows }: { title: string; head: string; rows: NowData['agents'] }) {
  return (
    <Numbers
      title={title}
      empty="None within 7 days."
      head={[head, ...spanNames, 'Asked']}
      rows={rows.map(({ name, spans }) => [
        name,
        ...spans.map(({ share }) => percent(share)),
        numbers.format(spans.at(-1)?.total ?? 0),
      ])}
    />
  );
}

function Instance({ instance: { startedAt, seenAt, state } }: { instance: NowData['instances'][number] }) {
  const { disk, memory, conversions, egresses, absent } = state;
  const broken = state.breakers.filter((breaker) => breaker.state !== 'closed');
  const isDiskLow = disk !== null && disk.free / disk.total < 0.1;
  return (
    <li>
      <h3>
        {state.host}{' '}
        <Badge kind={absent.length > 0 || isDiskLow ? 'bad' : 'good'}>
          {absent.length > 0 ? `without ${absent.join(', ')}` : isDiskLow ? 'disk low' : 'fine'}
        </Badge>
      </h3>
      <Facts
        facts={[
          ['Version', `${state.version}, Node ${state.node.replace('v', '')}`],
          ['Pages built', state.builtAt === null ? 'development' : <Time key="built" at={state.builtAt} />],
          ['Running since', <Time key="started" at={startedAt} />],
          ['Last sign of life', <Time key="seen" at={seenAt} />],
          ['Stores', [state.database, ...state.shared].join(', ')],
          ['Breakers', broken.length === 0 ? 'all closed' : broken.map(({ name }) => name).join(', ')],
          ['Proxies', egresses.all === 0 ? 'none' : `${egresses.resting} of ${egresses.all} rest`],
          [
            'Conversions',
            `${conversions.running} running, ${conversions.waiting} of ${conversions.mostWaiting} waiting`,
          ],
          ['Downloads', `${numbers.format(state.downloads)} running`],
          ['Disk', disk === null ? 'unknown' : `${roomText(disk.free)} of ${roomText(disk.total)} free`],
          ['Memory', `${megabytes(memory.process)}, ${megabytes(memory.heap)} of it heap`],
          ['Thread busy', `${percents.format(state.busy)} of the time`],
        ]}
      />
    </li>
  );
}

/** A reason in words, and how a failure is mended. */
interface Reason {
  readonly words: string;
  readonly todo?: string;
}

const knownReasons: Readonly<Record<string, Reason>> = {
  ok: { words: 'Read' },
  thin: {
    words: 'Read without HD and captions',
    todo: 'Ask as every identity on the page "Canary"; another line in OUTBOUND_PROXIES may help.',
  },
  left: { words: 'The visitor left' },
  [breakerOpen]: {
    words: 'Not asked: its circuit breaker is open',
    todo: 'It is tried every minute. The page "Canary" says why it fails.',
  },
  platform_blocked: {
    words: 'The platform shuts us out, or every strategy fails',
    todo: 'Add other lines to OUTBOUND_PROXIES, or other browsers to USER_AGENTS, and restart.',
  },
  platform_throttled: {
    words: 'The platform limits us (429)',
    todo: 'Wait some minutes; spread requests over more lines of OUTBOUND_PROXIES.',
  },
  platform_timeout: {
    words: 'The platform does not answer in time',
    todo: 'Look at the machine\'s network and at the proxies: "Canary" names the slow one.',
  },
  platform_failed: {
    words: 'No connection, or an error of a server',
    todo: 'Look at the machine\'s network and at the proxies: "Canary" names the cause.',
  },
  platform_changed: { words: 'Several posts in a row have a new form', todo: 'Update the program.' },
  post_unreadable: {
    words: 'The answer cannot be read',
    todo: 'Single posts are odd. Many: the platform has changed, update the program.',
  },
  media_host_unknown: {
    words: 'Files at an unknown host',
    todo: 'Update the program: its list of hosts lacks one.',
  },
  overloaded: { words: 'This instance had too much to do', todo: 'Add an instance, or cores.' },
  unavailable: { words: 'The database did not answer', todo: 'Run "clipferry doctor".' },
  internal: { words: 'An error of this program', todo: 'Look for "request failed" in the log.' },
};

/** The words for a key of a failure, and how it is mended where an operator can: `post_gone` is "Post gone". */
function reasonFor(key: string): Reason {
  const words = key.replaceAll('_', ' ');
  return knownReasons[key] ?? { words: `${words.charAt(0).toUpperCase()}${words.slice(1)}` };
}
