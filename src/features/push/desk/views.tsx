import {
  ActionButton,
  ActionForm,
  Badge,
  Choice,
  DataTable,
  Field,
  Section,
  Submit,
  TextField,
  Time,
} from '../../../server/desk/components.tsx';
import { type DeskViews, useShown } from '../../../server/desk/desk-view.tsx';
import type { PlannedPush, PushData } from './page.ts';

/** The fields of a form that were filled. */
const filled = (wish: PlannedPush['wish']) =>
  Object.fromEntries(
    Object.entries(wish).filter((field): field is [string, string] => field[1] !== undefined),
  );

function Preview({ wish, messages }: PlannedPush) {
  return (
    <Section title="Preview">
      <DataTable
        caption="What devices would show"
        empty="The article has no language of this site."
        rows={messages}
        keyOf={({ language }) => language ?? ''}
        columns={[
          { title: 'Language', cell: ({ language }) => language ?? 'all' },
          {
            title: 'Notification',
            cell: ({ title, body, language }) => (
              <div dir="auto" lang={language ?? undefined}>
                <strong>{title}</strong>
                <br />
                {body}
              </div>
            ),
          },
          {
            title: 'Leads to',
            cell: ({ url }) => (
              <a href={url}>
                <bdi>{url}</bdi>
              </a>
            ),
          },
          { title: 'Devices', isNumber: true, cell: ({ subscribers }) => subscribers },
        ]}
      />
      <ActionButton action="send" values={filled(wish)} strength="action">
        Send it
      </ActionButton>
    </Section>
  );
}

/** Notifications: written, looked at, sent and watched. */
function PushView({ data: { languages, subscribers, messages } }: { data: PushData }) {
  const planned = useShown<PlannedPush>();
  return (
    <>
      <p>{subscribers} devices want notifications.</p>
      {planned !== null && <Preview {...planned} />}
      <Section title="Write">
        <ActionForm action="preview">
          <Field
            name="article"
            label="Key of an article"
            hint="Sends its title and description, to each device in its language. Empty: the words below."
            maxLength={200}
          />
          <Field name="title" label="Title" maxLength={200} dir="auto" />
          <TextField name="body" label="Text" rows={3} maxLength={2000} dir="auto" />
          <Field
            name="url"
            label="Page that it leads to"
            hint="A path of this site."
            maxLength={2000}
            dir="ltr"
          />
          <Choice name="language" label="Devices" options={{ '': 'of all languages', ...languages }} />
          <Submit strength="plain">Look at it</Submit>
        </ActionForm>
      </Section>
      <Section title="Sent">
        <DataTable
          caption="Notifications"
          empty="None was sent."
          rows={messages}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Notification', cell: ({ id, title }) => <bdi>{`#${id} ${title}`}</bdi> },
            { title: 'Language', cell: ({ language }) => language ?? 'all' },
            { title: 'When', cell: ({ madeAt }) => <Time at={madeAt} /> },
            {
              title: 'State',
              cell: ({ isOpen }) => (
                <Badge kind={isOpen ? 'plain' : 'good'}>{isOpen ? 'on its way' : 'finished'}</Badge>
              ),
            },
            { title: 'Sent', isNumber: true, cell: ({ sent }) => sent },
            { title: 'Ended', isNumber: true, cell: ({ gone }) => gone },
            { title: 'Given up', isNumber: true, cell: ({ givenUp }) => givenUp },
          ]}
        />
      </Section>
    </>
  );
}

export default { push: PushView } satisfies DeskViews;
