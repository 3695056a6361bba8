import { translation } from '../catalog.ts';
import type english from '../en/signed-in.ts';

/** Strings that the agent's and the operator's areas share. */
export default translation<typeof english>({
  open: '登录',
  kept: '密钥用于换取会话，不会保存。会话在您最后一次操作 30 分钟后结束。',
  wrong: '未知的密钥。请复制完整密钥，不含空格。',
  needed: '请粘贴密钥。',
  expired: '会话已结束。请重新登录。',
  forget: '退出登录',
  sections: '{area}：栏目',
  filter: '筛选',
  all: '全部',
  clear: '清除筛选',
  shown: '{more, select, true {显示 {rows, number} 条结果} other {{rows, plural, other {# 条结果}}}}',
  noMatch: { title: '没有结果', text: '请尝试移除筛选条件。' },
  offline: { title: '您已离线', text: '恢复连接后将加载数据。' },
  old: '数据时间：{at}。上次更新失败：{why}。',
  reason: '原因（保存在审计记录中）',
  never: '从未',
  ago: '{span}前',
  ahead: '{span}后',
  now: '刚刚',
  soon: '一分钟内',
  close: '关闭',
});
