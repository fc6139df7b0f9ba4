import { ActionButton, Badge, DataTable, Section, Time } from '../../../server/desk/components.tsx';
import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import type { Runbook } from '../conditions/runbooks.ts';
import type { AlarmsData } from './page.ts';

/** Alarms, or the runbook of one condition with its alarms. */
function AlarmsView({ data: { runbook, alarms, waiting } }: { data: AlarmsData }) {
  return (
    <>
      {waiting > 0 && (
        <p className="desk-notice" data-kind="failed">
          {waiting} messages could not be sent yet; the log says why.
        </p>
      )}
      {runbook !== null && <RunbookSection runbook={runbook} />}
      <DataTable
        caption="Troubles"
        empty="There was no alarm yet."
        rows={alarms}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Trouble',
            cell: ({ condition, title, endedAt }) => (
              <>
                <a href={`/operator/alarms/${condition}`}>{title}</a>{' '}
                <Badge kind={endedAt === null ? 'bad' : 'good'}>{endedAt === null ? 'lasts' : 'over'}</Badge>
              </>
            ),
          },
          { title: 'Found', cell: ({ text }) => text },
          { title: 'Since', cell: ({ since }) => <Time at={since} /> },
          { title: 'Last', cell: ({ seenAt }) => <Time at={seenAt} /> },
        ]}
      />
      {runbook === null ? (
        <Section title="Test">
          <p>This sends a message by each channel, and says whether the channel accepted it.</p>
          <ActionButton action="test">Send a test</ActionButton>
        </Section>
      ) : (
        <p>
          <a href="/operator/alarms">All alarms</a>
        </p>
      )}
    </>
  );
}

function RunbookSection({ runbook: { title, when, steps, log } }: { runbook: Runbook }) {
  return (
    <Section title={title}>
      <p>{when}</p>
      <ol className="desk-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="desk-hint">
        In the log:{' '}
        {log.map((line, at) => (
          <span key={line}>
            {at > 0 && ', '}
            <code>{line}</code>
          </span>
        ))}
        .
      </p>
    </Section>
  );
}

export default { alarms: AlarmsView } satisfies DeskViews;
