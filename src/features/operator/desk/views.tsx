import {
  ActionButton,
  ActionForm,
  Badge,
  DataTable,
  Field,
  Pager,
  Section,
  Submit,
  Time,
} from '../../../server/desk/components.tsx';
import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import { ArticlesView } from '../articles/view.tsx';
import { CanaryView } from '../canary/view.tsx';
import { NowView } from '../figures/now/view.tsx';
import { UseView } from '../figures/use/view.tsx';
import type { CacheData } from './cache-page.ts';
import type { LogData } from './log-page.ts';

/** Views of the desk's own pages, by their names. */
export default {
  now: NowView,
  use: UseView,
  articles: ArticlesView,
  canary: CanaryView,
  cache: CacheView,
  log: LogView,
} satisfies DeskViews;

/** Pages that are kept. */
function CacheView({ data: { kept } }: { data: CacheData }) {
  return (
    <>
      <p>
        {kept} pages are kept, each form of a page (language, device, compression) by itself. What changes by
        imports is dropped without being asked.
      </p>
      <Section title="One address">
        <ActionForm action="one">
          <Field
            name="address"
            label="Address"
            hint="With its language: /de/posts/7"
            inputMode="url"
            maxLength={2000}
            dir="ltr"
            required
          />
          <Submit>Drop it</Submit>
        </ActionForm>
      </Section>
      <Section title="All">
        <p>Each page is rendered again for the next visitor who asks for it.</p>
        <ActionButton action="all">Drop all pages</ActionButton>
      </Section>
    </>
  );
}

const outcomeKinds = { done: 'good', refused: 'plain', failed: 'bad', begun: 'bad' } as const;
const dayMs = 86_400_000;

/** Every action of the desk, and log-ins that failed. */
function LogView({ data: { entries, before, tries, sessions } }: { data: LogData }) {
  return (
    <>
      <p>
        What was done at this desk, and from where. Entries are deleted after two years, and by nothing else.
      </p>
      <DataTable
        caption="Actions"
        empty="Nothing was done yet."
        rows={entries}
        keyOf={({ id }) => id}
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
          { title: 'Action', cell: ({ what, object }) => `${what}${object === '' ? '' : `: ${object}`}` },
          {
            title: 'Outcome',
            cell: ({ outcome, text }) => (
              <>
                <Badge kind={outcomeKinds[outcome]}>{outcome}</Badge> {text}
              </>
            ),
          },
          {
            title: 'By',
            cell: ({ operator, block }) => [operator, block].filter((part) => part !== '').join(' from '),
          },
          { title: 'Instance', cell: ({ instance }) => instance },
        ]}
      />
      <Pager before={before} />
      <Section title="Sessions">
        <p>
          {sessions === 1 ? 'Only this session lasts.' : `${sessions} sessions last, this one included.`} Each
          ends 12 hours after its log-in. A new password ends the sessions of its operator, and their devices
          are no longer remembered.
        </p>
        <ActionButton action="end-sessions">Log out everywhere</ActionButton>
      </Section>
      <Section title="Log-ins that failed">
        <DataTable
          caption="Log-ins that failed"
          empty="None within 90 days."
          rows={tries}
          keyOf={({ day, block }) => `${day} ${block}`}
          columns={[
            { title: 'Day', cell: ({ day }) => new Date(day * dayMs).toISOString().slice(0, 10) },
            { title: 'From', cell: ({ block }) => block },
            { title: 'Wrong', isNumber: true, cell: ({ failed }) => failed },
            { title: 'Refused unread', isNumber: true, cell: ({ limited }) => limited },
            { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
          ]}
        />
      </Section>
    </>
  );
}
