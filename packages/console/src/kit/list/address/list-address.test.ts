import { expect, test } from 'vitest';
import { readListState, withFilters, withoutList } from './list-address.ts';

const LIST = {
  filters: [
    { name: 'severity', label: 'Severity', kind: 'any-of', choices: [] },
    { name: 'status', label: 'Status', kind: 'any-of', choices: [] },
    { name: 'since', label: 'Created', kind: 'time-range' },
  ],
  hiddenByDefault: { status: '!closed' },
} as const;

test('an address without a query applies what the list hides by default', () => {
  expect(readListState(LIST, {})).toMatchObject({ query: { status: '!closed' }, isBare: true });
});

test('filters, order, columns and the open item are read from the address', () => {
  const search = {
    severity: 'high',
    until: '2026-03-02T00:00:00Z',
    sort: 'severity',
    columns: 'a,b',
    open: 'inc_1',
  };
  expect(readListState(LIST, search)).toEqual({
    query: { severity: 'high', status: '!closed', until: '2026-03-02T00:00:00Z', sort: 'severity' },
    filters: { severity: 'high', status: '!closed', until: '2026-03-02T00:00:00Z' },
    open: 'inc_1',
    columns: ['a', 'b'],
    sort: 'severity',
    isBare: false,
  });
});

test('members that do not filter the list are not sent', () => {
  expect(readListState(LIST, { kiosk: '1', limit: '5' }).query).toEqual({ status: '!closed' });
});

test('removing what the list hides by default is kept in the address', () => {
  const search = withFilters(LIST, {}, { status: undefined });
  expect(readListState(LIST, search).query).toEqual({});
  expect(withFilters(LIST, search, { status: '!closed' })).toEqual({});
});

test('removing another filter leaves nothing of it', () => {
  expect(withFilters(LIST, { severity: 'high', kiosk: '1' }, { severity: undefined })).toEqual({
    kiosk: '1',
  });
});

test('a reset leaves what does not belong to the list', () => {
  expect(withoutList(LIST, { severity: 'high', open: 'inc_1', columns: 'a', kiosk: '1' })).toEqual({
    kiosk: '1',
  });
});
