// vite.config.ts passes these options to Remix's plugin.
/** @type {import('@remix-run/dev').VitePluginConfig} */
export default {
  appDirectory: 'app',
  serverModuleFormat: 'esm',
  ignoredRouteFiles: ['**/*'],
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: true,
    v3_lazyRouteDiscovery: true,
    v3_routeConfig: true,
    // Otherwise a cold dev server finds dependencies while it serves a page, and the page loads two copies of React.
    unstable_optimizeDeps: true,
  },
}
