export { type ChartData, type ChartSeries, withFewerBuckets } from './chart-series.ts';
export { type Share, ShareBars } from './share-bars.tsx';
export { Sparkline } from './sparkline.tsx';
export { TimeChart } from './time-chart.tsx';
