// The direction of imports, as ARCHITECTURE.md describes it. Tests may import more than shipped code.
const SERVER = '^packages/server/src';
const CLI = '^packages/cli/src';
const SHIPPED = { pathNot: '\\.test\\.ts$|/testing/' };

const DETECTION = '^packages/detection/src';
/** Which folders of detection a folder may import, beside itself and the vocabulary at the top of `src`. */
const DETECTION_IMPORTS = {
  lexicon: [],
  normalize: [],
  // The codes of reasons are named after cues and indicators: types only.
  wording: ['cues', 'indicators', 'normalize'],
  features: ['lexicon', 'normalize', 'wording', 'cues'],
  model: ['features', 'normalize', 'wording', 'cues'],
  cues: ['normalize', 'wording'],
  // An import asks who owns a domain, as a link does.
  indicators: ['lexicon', 'normalize', 'features'],
  analysis: ['normalize', 'features', 'model', 'cues', 'indicators', 'wording'],
  files: ['normalize', 'model', 'indicators', 'analysis', 'wording'],
  verdict: ['model', 'indicators', 'analysis', 'wording'],
  redaction: ['lexicon', 'normalize'],
};
/** Also what a platform provides: see `PORTABLE`. */
const DETECTION_VOCABULARY = '(?:(content|finding|threat-type)\\.ts$|platform/)';

/**
 * Code that runs on any platform. What differs by platform is imported as `#name`, which package.json resolves to a file for
 * Node (`*.node.ts`) or to one for all others.
 */
const PORTABLE = {
  path: '^packages/(signatures|detection|agent)/src/',
  pathNot: [
    '\\.test\\.ts$|/testing/|\\.node\\.ts$|^packages/(signatures|agent)/src/node/',
    // Entries for Node, and the readers of files, which a service or a desktop application runs.
    '^packages/detection/src/(node|files)\\.ts$|^packages/detection/src/files/|^packages/agent/src/index\\.ts$',
  ],
};

const AGENT = '^packages/agent/src';
/** Which folders of the agent a folder may import, beside itself. Files at the top of `src` join the folders. */
const AGENT_IMPORTS = {
  encoding: [],
  ports: [],
  http: ['ports', 'encoding', 'concurrency', 'credential', 'errors', 'policy'],
  indicators: ['ports', 'encoding', 'concurrency'],
  errors: [],
  concurrency: ['ports'],
  clock: ['ports'],
  policy: [],
  store: ['ports', 'concurrency', 'encoding'],
  upload: ['ports', 'clock', 'encoding', 'errors', 'store'],
  recording: ['ports', 'encoding', 'policy', 'store'],
  rotation: ['ports', 'clock', 'errors', 'store', 'upload'],
};

const CONSOLE = '^packages/console/src';
/** Which folders of the console a folder may import, beside itself. */
const CONSOLE_IMPORTS = {
  app: ['features', 'kit', 'session'],
  features: ['kit', 'session'],
  kit: ['session'],
  session: [],
};

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Modules in a circle cannot be understood, tested or moved alone.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contract-stands-alone',
      comment:
        'The contract describes the API: it imports TypeBox and nothing else. Writing it to a file is a tool.',
      severity: 'error',
      from: { path: '^packages/contract/src', pathNot: '\\.test\\.ts$|write-openapi\\.ts$' },
      to: { pathNot: '^packages/contract/src|node_modules/typebox/' },
    },
    {
      name: 'detection-and-signatures-stand-alone',
      comment:
        'Pure code that runs on the device and in the service: no network, no database, no contract. One separate entry reads the shipped model from disk.',
      severity: 'error',
      from: {
        path: '^packages/(detection|signatures)/src',
        pathNot: '\\.test\\.ts$|/testing/|^packages/detection/src/node\\.ts$',
      },
      to: {
        path: '^packages/(contract|agent|client|cli|server|simulator|testing)/|node_modules/(fastify|kysely|pg|better-sqlite3|undici)/|^(net|http|https|tls|dgram|fs)$',
      },
    },
    ...Object.entries(DETECTION_IMPORTS).map(([folder, others]) => ({
      name: `detection-${folder}`,
      comment:
        'normalize → features → model → analysis → verdict, and nothing backwards: see DETECTION_IMPORTS.',
      severity: 'error',
      from: { path: `${DETECTION}/${folder}/`, ...SHIPPED },
      to: {
        path: DETECTION,
        pathNot: `${DETECTION}/(?:(?:${[folder, ...others].join('|')})/|${DETECTION_VOCABULARY})`,
      },
    })),
    {
      name: 'training-entry-is-internal',
      comment:
        '`@tps/detection/training` changes with the models: only tools/training and tools/word-lists may use it.',
      severity: 'error',
      from: { pathNot: '^tools/(training|word-lists)/' },
      to: { path: `${DETECTION}/training\\.ts$` },
    },
    {
      name: 'client-runs-anywhere',
      comment:
        'Integrators use it in any program, also in a browser: it needs only fetch, and its types are generated from the document.',
      severity: 'error',
      from: { path: '^packages/client/src', ...SHIPPED },
      to: { pathNot: '^packages/client/src|node_modules/openapi-fetch/' },
    },
    {
      name: 'client-verifies-webhooks-without-the-rest',
      comment: 'A receiver of webhooks does not bundle the API calls: it imports only their types.',
      severity: 'error',
      from: { path: '^packages/client/src/webhooks', ...SHIPPED },
      to: { pathNot: '^packages/client/src/webhooks', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'console-is-a-client',
      comment:
        'The console reads and changes data only through the client. From the contract it needs the closed lists.',
      severity: 'error',
      from: { path: `${CONSOLE}/`, ...SHIPPED },
      to: {
        path: '^(packages|tools|demo|bench|acceptance)/',
        pathNot: `${CONSOLE}/|^packages/client/src/index\\.ts$|^packages/contract/src/schema/vocabulary\\.ts$`,
      },
    },
    ...Object.entries(CONSOLE_IMPORTS).map(([folder, others]) => ({
      name: `console-${folder}`,
      comment: 'main → app → features → kit → session.',
      severity: 'error',
      from: { path: `${CONSOLE}/${folder}/`, ...SHIPPED },
      to: { path: `${CONSOLE}/`, pathNot: `${CONSOLE}/(?:${[folder, ...others].join('|')})/` },
    })),
    {
      name: 'console-features-stand-alone',
      comment: 'What two features of the console need is in the kit.',
      severity: 'error',
      from: { path: `${CONSOLE}/features/([^/]+)/`, ...SHIPPED },
      to: { path: `${CONSOLE}/features/`, pathNot: `${CONSOLE}/features/$1/` },
    },
    {
      name: 'service-is-reached-over-http',
      comment: 'Only tps runs its command line; tests and benchmarks prepare stores with it.',
      severity: 'error',
      from: { pathNot: '^packages/(server|cli|testing)/|^(acceptance|bench)/' },
      to: { path: '^packages/server/' },
    },
    {
      name: 'server-has-four-doors',
      comment:
        'Other packages run its command line, start the service, open a store or keep compiled code. The rest can change freely.',
      severity: 'error',
      from: { pathNot: '^packages/server/' },
      to: {
        path: '^packages/server/',
        pathNot: `${SERVER}/(command-line|compile-cache|service|store)\\.(?:ts|js)$`,
      },
    },
    {
      name: 'simulator-acts-from-outside',
      comment:
        'Simulated devices ship with tps: they run the agent and the client, and know neither service nor tests.',
      severity: 'error',
      from: { path: '^packages/simulator/src' },
      to: { path: '^packages/(server|cli|testing)/|^(acceptance|bench|demo)/' },
    },
    ...Object.entries(AGENT_IMPORTS).map(([folder, others]) => ({
      name: `agent-${folder}`,
      comment:
        'ports → store → upload → rotation, policy pure, and nothing knows the agent as a whole: see AGENT_IMPORTS.',
      severity: 'error',
      from: { path: `${AGENT}/${folder}/`, ...SHIPPED },
      to: { path: AGENT, pathNot: `${AGENT}/(?:${[folder, ...others].join('|')})/` },
    })),
    ...[
      { dependencyTypes: ['core'] },
      {
        path: '^packages/$1/src/(?:.*\\.node\\.ts$|node/|node\\.ts$|files/)',
        dependencyTypesNot: ['aliased-subpath-import'],
      },
    ].map((to, index) => ({
      name: `cores-run-anywhere-${index + 1}`,
      comment:
        'Browsers and apps without Node bundle these modules: nothing of Node, directly or through a file for Node.',
      severity: 'error',
      from: PORTABLE,
      to,
    })),
    {
      name: 'agent-browser-uses-the-core',
      comment: 'Only the entry for browsers imports what needs a browser.',
      severity: 'error',
      from: { path: AGENT, pathNot: `\\.test\\.ts$|/testing/|${AGENT}/browser` },
      to: { path: `${AGENT}/browser/` },
    },
    {
      name: 'agent-store-by-its-interface',
      comment: 'Upload, recording and rotation use the store through event-store.ts, not its files.',
      severity: 'error',
      from: { path: `${AGENT}/(?:upload|recording|rotation)/`, ...SHIPPED },
      to: { path: `${AGENT}/store/`, pathNot: `${AGENT}/store/event-store\\.ts$` },
    },
    {
      name: 'cli-uses-the-command-line-of-the-service',
      comment:
        'One file runs the command line of the service. The program keeps its compiled code where the service does.',
      severity: 'error',
      from: { path: '^packages/cli/' },
      to: {
        path: '^packages/server/',
        pathNot: '^packages/server/src/(?:command-line\\.ts|compile-cache\\.js)$',
      },
    },
    {
      name: 'cli-loads-the-service-lazily',
      comment: 'Commands that call the API start without the service: it is imported dynamically.',
      severity: 'error',
      from: { path: '^packages/cli/' },
      to: { path: '^packages/server/', dynamic: false },
    },
    {
      name: 'cli-commands-are-the-top',
      comment: 'main → run → program → commands → the rest. What a command uses does not know commands.',
      severity: 'error',
      from: {
        path: `${CLI}/`,
        pathNot: `${CLI}/(commands/|program\\.ts$|run\\.ts$|main\\.ts$)|\\.test\\.ts$`,
      },
      to: { path: `${CLI}/(commands/|program\\.ts$|run\\.ts$|main\\.ts$)` },
    },
    {
      name: 'cli-parts-stand-alone',
      comment: 'completion, doctor, export and indicators do not use each other or the session of a command.',
      severity: 'error',
      from: { path: `${CLI}/(completion|doctor|export|indicators)/`, ...SHIPPED },
      to: {
        path: `${CLI}/(completion|doctor|export|indicators)/|${CLI}/session\\.ts$`,
        pathNot: `${CLI}/$1/`,
      },
    },
    {
      name: 'cli-operator-uses-connection-and-output-only',
      comment: 'The part that runs the service is used by commands and doctor, and uses neither.',
      severity: 'error',
      from: { path: `${CLI}/operator/`, ...SHIPPED },
      to: { path: `${CLI}/`, pathNot: `${CLI}/(operator|connection|output)/|${CLI}/command-context\\.ts$` },
    },
    {
      name: 'cli-connection-uses-output-only',
      comment: 'session → connection → output.',
      severity: 'error',
      from: { path: `${CLI}/connection/`, ...SHIPPED },
      to: { path: `${CLI}/`, pathNot: `${CLI}/(connection|output)/|${CLI}/command-context\\.ts$` },
    },
    {
      name: 'cli-output-stands-alone',
      comment: 'session → connection → output.',
      severity: 'error',
      from: { path: `${CLI}/output/`, ...SHIPPED },
      to: { path: `${CLI}/`, pathNot: `${CLI}/output/|${CLI}/command-context\\.ts$` },
    },
    {
      name: 'service-does-not-import-the-agent',
      comment: 'The agent and the service share packages, and do not import each other.',
      severity: 'error',
      from: { path: '^packages/server/src', ...SHIPPED },
      to: { path: '^packages/agent/' },
    },
    {
      name: 'platform-imports-platform-only',
      comment: 'main → app → features → database → platform.',
      severity: 'error',
      from: { path: `${SERVER}/platform/`, ...SHIPPED },
      to: { path: `${SERVER}/(database|features|app)/|${SERVER}/[^/]+\\.ts$` },
    },
    {
      name: 'database-imports-platform-only',
      comment: 'main → app → features → database → platform.',
      severity: 'error',
      from: { path: `${SERVER}/database/`, ...SHIPPED },
      to: { path: `${SERVER}/(features|app)/|${SERVER}/[^/]+\\.ts$` },
    },
    {
      name: 'features-do-not-import-app',
      comment: 'main → app → features → database → platform.',
      severity: 'error',
      from: { path: `${SERVER}/features/`, ...SHIPPED },
      to: { path: `${SERVER}/app/|${SERVER}/[^/]+\\.ts$|node_modules/fastify/` },
    },
    {
      name: 'nothing-shipped-uses-testing',
      severity: 'error',
      comment: 'Test fixtures stay with the tests. The demonstration shows the population that tests use.',
      from: { path: '^(packages|demo|examples)/', ...SHIPPED },
      to: { path: '/testing/', pathNot: '^packages/testing/src/population/index\\.ts$' },
    },
    {
      name: 'features-meet-at-the-door',
      comment:
        'Other features import a feature through its index.ts, so that the rest of it can change freely. What wires a feature may also know what wires those that it uses.',
      severity: 'error',
      from: { path: `${SERVER}/features/([^/]+)/`, ...SHIPPED },
      to: {
        path: `${SERVER}/features/([^/]+)/`,
        pathNot: `${SERVER}/features/(?:$1/|[^/]+/index\\.ts$|[^/]+/[^/]+-feature\\.ts$)`,
      },
    },
    {
      name: 'feature-modules-are-for-app',
      comment: 'A module that wires a feature loads all of it: others of them need only its type.',
      severity: 'error',
      from: { path: `${SERVER}/features/`, ...SHIPPED },
      to: { path: `${SERVER}/features/[^/]+/[^/]+-feature\\.ts$`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-feature-modules-know-feature-modules',
      comment: 'A service or a store that knows how a feature is wired cannot be used without it.',
      severity: 'error',
      from: {
        path: `${SERVER}/features/`,
        pathNot: `\\.test\\.ts$|/testing/|${SERVER}/features/[^/]+/[^/]+-feature\\.ts$`,
      },
      to: { path: `${SERVER}/features/[^/]+/[^/]+-feature\\.ts$` },
    },
    {
      name: 'app-imports-doors-and-feature-modules',
      comment:
        'Services are for the first start and the commands. They stay out of index.ts, so that a feature that needs a store of another loads no schemas.',
      severity: 'error',
      from: { path: `${SERVER}/app/`, ...SHIPPED },
      to: {
        path: `${SERVER}/features/`,
        pathNot: `${SERVER}/features/(?:feature|[^/]+/index|.*-(?:feature|service))\\.ts$`,
      },
    },
    {
      name: 'sql-stays-in-the-database-folder-and-stores',
      comment: 'Kysely is for stores: a query in a service or a route is hard to find.',
      severity: 'error',
      from: {
        path: `${SERVER}/(features|app)/`,
        pathNot: '\\.test\\.ts$|-(store|read-model)\\.ts$|/testing/',
      },
      to: { path: 'node_modules/(kysely|pg|better-sqlite3)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'default'],
    },
  },
};
