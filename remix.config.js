// The one place of Remix's options; vite.config.ts passes them to the plugin.
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
    // Without it a cold dev server discovers dependencies in the middle of a page and loads two Reacts.
    unstable_optimizeDeps: true,
  },
}
