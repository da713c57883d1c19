import { HOLDING_KINDS } from '@tps/contract/vocabulary';
import { expect, test } from 'vitest';
import { TABLE_NAMES, TABLES } from '../../database/tables/index.ts';
import { HOLDING_RULES } from './create-holdings.ts';

/** Columns that say who created or owns a row. */
const CREATOR = /(?:^|(?<!leased)_)by$|^owner_|(?:^|_)account_id$|^author|^creator/;

test('each table that names a creator says what happens at the end of the creator', () => {
  const named = TABLE_NAMES.filter((table) =>
    Object.keys(TABLES[table].columns).some((one) => CREATOR.test(one)),
  );
  expect(named).toContain('tokens');
  expect(named.filter((table) => TABLES[table].creator === undefined)).toEqual([]);
});

test('each kind of holding has a table and a rule for its end', () => {
  const kinds = Object.values(TABLES).flatMap(({ creator }) =>
    creator && 'holdings' in creator ? creator.holdings : [],
  );
  expect([...kinds].sort()).toEqual([...HOLDING_KINDS].sort());
  expect(HOLDING_RULES.map(({ kind }) => kind).sort()).toEqual([...HOLDING_KINDS].sort());
});
