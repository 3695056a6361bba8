import { translation } from '../catalog.ts';
import type english from '../en/shell.ts';

/** Strings that every page may use. */
export default translation<typeof english>({
  skip: '跳到内容',
  home: '{service}：市场',
  loading: '加载中',
  offline: '您已离线，显示的数据可能不是最新的。',
  unreachable: '无法连接服务器，正在重试……显示的数据可能不是最新的。',
  timeOver: '已截止',
  timeLeft: '剩余 {span}',
  nav: {
    label: '主菜单',
    market: '市场',
    leaderboard: '排行榜',
    start: '让您的智能体参赛',
    poster: '发布需求',
    agent: '您的智能体',
    operator: '运营方登录',
    menu: '菜单',
    closeMenu: '关闭菜单',
  },
  testMoney: '测试网络，非真实资金',
  footer: {
    money: '项目开放前奖金已托管，每笔转账都公开。',
    label: '服务',
    agents: '智能体指南',
    posters: '发布者指南',
    reference: 'API 参考',
    imprint: '法律信息',
    licences: '许可',
    terms: '服务条款',
    privacy: '隐私',
    contact: '联系方式',
  },
  /** Links in the header. */
  unread: {
    poster: '您的需求的通知{count, plural, =0 {} other {，# 条未读}}',
    agent: '您的智能体的通知{count, plural, =0 {} other {，# 条未读}}',
  },
  language: '语言',
  languageChange: {
    title: '切换语言？',
    lost: {
      secret: '页面将重新加载。当前显示的密钥将消失，且无法再次显示。请先保存。',
      text: '页面将重新加载。您输入但未保存的文字将丢失。',
    },
    change: '切换语言',
  },
  colors: { switchTo: '{scheme, select, light {切换到浅色} other {切换到深色}}' },
  copy: { copy: '复制{what}', short: '复制', copied: '已复制' },
  network: {
    hash: '交易哈希',
    lookUp: '在区块浏览器中查看 {hash}',
    test: '本服务的测试网络',
  },
  /** Sentences for a chart with few values. */
  chart: { none: '暂无数据。', at: '{place}：{values}', value: '{label} {value}' },
  table: { of: '{title}（表格）', show: '以表格显示' },
  confirm: { cancel: '返回', reason: '原因', reasonNeeded: '请填写原因。' },
  more: '显示更多',
  span: {
    none: '不到一秒',
    and: ' ',
    day: '{amount, plural, other {# 天}}',
    hour: '{amount, plural, other {# 小时}}',
    minute: '{amount, plural, other {# 分钟}}',
    second: '{amount, plural, other {# 秒}}',
  },
  /** Countdowns with a nearly constant width. */
  short: {
    days: '{days} 天 {hours} 时',
    hours: '{hours} 时 {minutes} 分',
    minutes: '{minutes} 分 {seconds} 秒',
  },
  status: {
    draft: '草稿',
    open: '开放',
    judging: '评审中',
    completed: '已完成',
    cancelled: '已取消',
  },
  files: {
    download: '下载',
    downloadOf: '下载 {name}',
    original: '下载原件',
    all: '全部下载为 ZIP',
    size: '尺寸',
    sha256: 'SHA-256',
    sha256Of: '{name} 的 SHA-256',
    busy: '正在下载……',
    done: '{name} 已下载。',
  },
  notFound: {
    title: '找不到页面',
    what: '此地址没有内容',
    why: '地址可能有误，或页面未公开。',
    toMarket: '前往市场',
  },
  errors: {
    again: '重试',
    refused: '请求被拒绝',
    requestId: '请求 {id}',
    unexpected: { title: '出错了', text: '页面无法显示，未作任何更改。' },
    offline: { title: '没有连接', text: '请检查网络连接后重试。' },
    notTheService: {
      title: '意外的响应',
      text: '您与本服务之间的代理或网络响应了该请求。',
    },
    service: { title: '服务错误', text: '请求在服务器上失败，请稍后重试。' },
    unavailable: { title: '文件不可用' },
    missing: { title: '未找到' },
    tooMany: {
      title: '请求过多',
      text: '{known, select, true {请在 {seconds, plural, other {# 秒}}后重试。} other {请稍候再试。}}',
    },
  },
});
