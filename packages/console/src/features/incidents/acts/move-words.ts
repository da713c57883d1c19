import type { Incident } from '@tps/client';

type Status = Incident['status'];

/** What the button of a change of status says. */
export function wordsOfMove(from: Status, to: Status): string {
  switch (to) {
    case 'open':
      return 'Back to open';
    case 'in_progress':
      if (from === 'resolved') return 'Reopen';
      return from === 'on_hold' ? 'Resume work' : 'Start work';
    case 'on_hold':
      return 'Put on hold';
    case 'resolved':
      return 'Resolve';
    case 'closed':
      return from === 'open' ? 'Dismiss' : 'Close';
  }
}
