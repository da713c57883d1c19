import { expect, it } from 'vitest';
import { selectWellKnownHosts } from './well-known-hosts.ts';

it('hosts are selected once, without the dot at their beginning', () => {
  const lists = ['{"list":[".B.example","a.example"]}', '{"list":["a.example","not a host","10.0.0.0/8"]}'];
  expect(selectWellKnownHosts(lists)).toEqual(['a.example', 'b.example']);
});
