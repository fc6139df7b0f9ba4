import type { RefObject } from 'react';
import { useMounted } from '../../browser/mounted.ts';
import { useDocument } from '../../document/document-context.tsx';
import { LayoutParts } from '../../layout/layout-parts.tsx';
import type { FileHelp } from './files/file-help.ts';
import { Recent } from './link-box/recent.tsx';
import type { LinkField } from './link-box/use-link-field.ts';
import { Waiting } from './link-box/waiting.tsx';
import type { ToolPageData } from './page-data.ts';
import { laterOutcome } from './result/later-outcome.tsx';
import { laterList } from './state/several-links.tsx';
import type { ToolState } from './state/tool-state.ts';
import type { Actions } from './state/use-actions.ts';

interface OutcomeAreaProps {
  page: ToolPageData;
  help: FileHelp;
  state: ToolState;
  actions: Actions;
  field: LinkField;
  area: RefObject<HTMLElement | null>;
  heading: RefObject<HTMLHeadingElement | null>;
  onAnnounce(message: string): void;
}

/** The outcome of a link: its post's files, a list of posts, or a placeholder while it is looked up; and recent links. */
export function OutcomeArea({ page, state, actions, field, ...props }: OutcomeAreaProps) {
  const isMounted = useMounted();
  const site = useDocument();
  const { onAnnounce } = props;
  return (
    <section
      ref={props.area}
      className="container outcome"
      aria-busy={state.kind === 'resolving'}
      data-keep-clear=""
    >
      {(state.kind === 'ready' || (isMounted && laterOutcome.isLoaded())) && (
        <laterOutcome.Part
          result={state.kind === 'ready' ? state.result : null}
          list={state.kind === 'list' ? state.text : null}
          isAsked={!state.given}
          buttons={page.buttons}
          others={page.others}
          help={props.help}
          anotherHref={page.path}
          heading={props.heading}
          onAnother={actions.startOver}
          onLookAgain={actions.lookAgain}
          onAnnounce={onAnnounce}
        />
      )}
      {state.kind === 'list' && (
        <laterList.Part
          key={state.text}
          text={state.text}
          links={state.links}
          source={state.source ?? null}
          action={page.path}
          asking={page.asking}
          buttons={page.buttons}
          onAnother={actions.startOver}
          onAnnounce={onAnnounce}
        />
      )}
      {state.kind === 'resolving' && (
        <Waiting key={state.text} onAnnounce={onAnnounce} onCancel={actions.stop} />
      )}
      {/* Filled by a feature; React renders nothing in it. */}
      {state.kind === 'ready' && <LayoutParts place="below-result" page={site} />}
      {state.kind !== 'resolving' && (
        <Recent
          shown={state.kind === 'ready' ? state.result.post.url : null}
          onChoose={actions.enter}
          onAnnounce={onAnnounce}
          onEmpty={() => field.focus({ preventScroll: true })}
        />
      )}
    </section>
  );
}
