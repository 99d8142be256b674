// What the command line does in another way on Windows.
import { expect, test } from 'vitest';
import { quote } from './banner.ts';
import { stopSignals } from './serve.ts';
import { collect } from './server-flags.ts';

test('the calls of the banner are quoted for the command prompt', () => {
  expect(quote('{"name":"it\'s"}', 'win32')).toBe('"{\\"name\\":\\"it\'s\\"}"');
  expect(quote("it's", 'linux')).toBe("'it'\\''s'");
});

test('Ctrl-Break and the end of the window stop a server on Windows alone', () => {
  expect(stopSignals('win32', false)).toEqual(['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP']);
  expect(stopSignals('linux', false)).toEqual(['SIGINT', 'SIGTERM']);
  expect(stopSignals('linux', true)).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
});

test('the values of a repeatable option may end with a carriage return', () => {
  expect(collect('a\r\nb\r\n', ['before'])).toEqual(['before', 'a', 'b']);
});
