import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { DiffContent, PermissionChoice } from '../../thread/thread.ts';
import type { PermissionQuestion } from '../../client/ports.ts';
import { Grace } from './grace.ts';
import {
  effectOf,
  questionDocument,
  questionSummary,
  questionTitle,
  subjectRows,
  whyAsked,
} from './permissionText.ts';
import { escapeLabel, escapeLine } from './plainText.ts';

/** What can be looked at while the question stays open: editors that cover the pick's place, so it steps aside. */
export interface PickExtras {
  readonly showText: (name: string, text: string) => Promise<void>;
  readonly showDiffs: (diffs: readonly DiffContent[]) => Promise<void>;
  /** The last of these editors was closed. */
  readonly onDidClose: Event<void>;
  readonly failed: (error: unknown) => void;
}

/** Where the question is: `looking` while it has stepped aside for an editor, but is still the one that is asked. */
export type PickPlace = 'onScreen' | 'looking';

type Row = vscode.QuickPickItem &
  (
    | { readonly does: 'answer'; readonly optionId: string }
    | { readonly does: 'nothing' | 'details' | 'changes' }
  );

/** One question on screen. Only a chosen option is an answer; hiding, by whatever means, is none. */
export class PermissionPick implements vscode.Disposable {
  private readonly owned = new Disposables();
  private readonly pick = this.owned.add(vscode.window.createQuickPick<Row>());
  private readonly grace: Grace;
  private readonly detailsButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('list-selection'),
    tooltip: vscode.l10n.t('Show Everything (F2)'),
  };
  private readonly changesButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('diff'),
    tooltip: vscode.l10n.t('Show Changes (F7)'),
  };
  private quiet: NodeJS.Timeout | undefined;
  private settle: ((optionId: string | undefined) => void) | undefined;
  private place: PickPlace = 'onScreen';
  private readonly moved = this.owned.add(new Emitter<PickPlace>());

  readonly onDidMove = this.moved.event;

  constructor(
    private readonly question: PermissionQuestion,
    private readonly extras: PickExtras,
    now: () => number,
  ) {
    this.grace = new Grace(now);
    const { pick } = this;
    pick.title = questionTitle(question);
    pick.placeholder = questionSummary(question);
    pick.ignoreFocusOut = true;
    pick.items = this.rows();
    pick.buttons =
      question.diffs.length > 0 ? [this.detailsButton, this.changesButton] : [this.detailsButton];
    this.listen();
  }

  /** Shows the pick. @returns The chosen option's id; `undefined` when it was put away or closed. */
  answer(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.settle = resolve;
      this.waitForQuiet();
      this.pick.show();
    });
  }

  close(): void {
    this.settle?.(undefined);
    this.pick.hide();
  }

  async showDetails(): Promise<void> {
    await this.look(() =>
      this.extras.showText(vscode.l10n.t('Permission request'), questionDocument(this.question)),
    );
  }

  async showChanges(): Promise<void> {
    if (this.question.diffs.length === 0) return;
    await this.look(() => this.extras.showDiffs(this.question.diffs));
  }

  /** Puts the question back on screen. */
  comeBack(): void {
    if (this.place === 'onScreen') return;
    this.move('onScreen');
    this.waitForQuiet();
    // VS Code forgets the rows of a pick that it hides.
    this.pick.items = this.rows();
    this.pick.show();
  }

  dispose(): void {
    clearTimeout(this.quiet);
    this.settle?.(undefined);
    this.owned.dispose();
  }

  private listen(): void {
    const { pick, owned, grace } = this;
    owned.add(
      pick.onDidChangeValue((value) => {
        if (value === '') return;
        grace.typed();
        this.waitForQuiet();
        // Typing neither hides nor reorders what the agent offers.
        pick.value = '';
      }),
    );
    owned.add(
      pick.onDidChangeActive(() => {
        grace.rowChanged();
        this.waitForQuiet();
      }),
    );
    owned.add(
      pick.onDidAccept(() => {
        this.accept();
      }),
    );
    owned.add(
      pick.onDidTriggerButton((button) => {
        this.show(button === this.changesButton ? 'changes' : 'details');
      }),
    );
    owned.add(
      pick.onDidHide(() => {
        if (this.place === 'onScreen') this.settle?.(undefined);
      }),
    );
    owned.add(
      this.extras.onDidClose(() => {
        this.comeBack();
      }),
    );
  }

  private accept(): void {
    const [row] = this.pick.selectedItems;
    if (row === undefined || row.does === 'nothing') return;
    if (row.does !== 'answer') {
      this.show(row.does);
      return;
    }
    if (this.grace.accepts()) {
      this.settle?.(row.optionId);
      return;
    }
    this.pick.title = vscode.l10n.t('Not answered: keys came too fast. Choose again to answer.');
    this.waitForQuiet();
  }

  private show(what: 'details' | 'changes'): void {
    const shown = what === 'details' ? this.showDetails() : this.showChanges();
    shown.catch(this.extras.failed);
  }

  private async look(open: () => Promise<void>): Promise<void> {
    if (this.place === 'looking') return;
    this.move('looking');
    this.grace.hidden();
    this.pick.hide();
    try {
      await open();
    } catch (error) {
      this.comeBack();
      throw error;
    }
  }

  private move(place: PickPlace): void {
    this.place = place;
    this.moved.fire(place);
  }

  /** The bar of a busy pick is seen exactly while it takes no answer. */
  private waitForQuiet(): void {
    clearTimeout(this.quiet);
    this.pick.busy = true;
    const wait = this.grace.remaining();
    if (!Number.isFinite(wait)) return;
    this.quiet = setTimeout(() => {
      this.pick.busy = false;
      this.pick.title = questionTitle(this.question);
    }, wait);
  }

  private rows(): readonly Row[] {
    const { question } = this;
    const options = question.options.map((option) => answerRow(option, question));
    const why = subjectRows(whyAsked(question));
    const subject = subjectRows(question.subject);
    const facts = subjectRows(question.facts.map(escapeLine).join('\n'));
    return [
      ...options,
      {
        does: 'nothing',
        kind: vscode.QuickPickItemKind.Separator,
        label: escapeLabel(question.kind),
      },
      ...[...why.rows, ...subject.rows].map((row): Row => ({
        does: 'details',
        label: escapeLabel(row),
        alwaysShow: true,
      })),
      // The icon tells Parley's own lines from those of an agent.
      ...facts.rows.map((row): Row => ({
        does: 'details',
        label: escapeLabel(row),
        iconPath: new vscode.ThemeIcon('info'),
        alwaysShow: true,
      })),
      {
        does: 'details',
        label:
          why.cut || subject.cut || facts.cut
            ? vscode.l10n.t('Show everything…')
            : vscode.l10n.t('Show in an editor'),
        description: 'F2',
        iconPath: new vscode.ThemeIcon('list-selection'),
        alwaysShow: true,
      },
      ...(question.diffs.length === 0 ? [] : [this.changesRow()]),
    ];
  }

  private changesRow(): Row {
    const added = this.question.diffs.reduce((sum, diff) => sum + diff.added, 0);
    const removed = this.question.diffs.reduce((sum, diff) => sum + diff.removed, 0);
    return {
      does: 'changes',
      label: vscode.l10n.t('Show changes'),
      description: `F7  +${added} −${removed}`,
      iconPath: new vscode.ThemeIcon('diff'),
      alwaysShow: true,
    };
  }
}

function answerRow(option: PermissionChoice, question: PermissionQuestion): Row {
  return {
    does: 'answer',
    optionId: option.optionId,
    label: escapeLabel(option.name),
    ...effectOf(option, question),
    iconPath: new vscode.ThemeIcon(icon(option.kind)),
    alwaysShow: true,
  };
}

function icon(kind: PermissionChoice['kind']): string {
  switch (kind) {
    case 'allow_once':
      return 'check';
    case 'allow_always':
      return 'check-all';
    case 'reject_once':
    case 'reject_always':
      return 'circle-slash';
    case 'other':
      return 'circle';
  }
}
