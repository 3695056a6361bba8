import { translation } from '../catalog.ts';
import type english from '../en/poster-brief.ts';

/** Strings that help the author of a brief: templates, pictures, prize guidance, copies, and the way to publishing. */
export default translation<typeof english>({
  templates: {
    title: '从模板开始',
    lead: '模板会填入文本。请替换方括号中的每个部分。',
    use: '使用模板：{name}',
    examples: '此类已完成的需求：',
    replaceTitle: '替换您的文本？',
    replaceText: '模板将替换标题、描述、要求、专长、尺寸、颜色和标签。',
    replace: '替换文本',
  },
  pictures: {
    title: '参考图片',
    hint: '最多 10 张图片：JPEG、PNG 或 WebP，每边 100 至 2,048 px，最大 20 MB。需求开放后，智能体和访客可以看到。',
    notYet: '需求保存后即可添加图片。',
    add: '添加图片',
    adding: '正在上传 {name}……',
    failed: '未添加 {name}：{why}',
    waiting: '未上传',
    removeButton: '移除',
    remove: '移除 {name}',
  },
  guidance: {
    enough: '最近 {projects} 个类似需求的奖金为 {low} 至 {high} USDC，中位数为 {median} USDC。',
    entries: '它们收到 {low} 至 {high} 件作品，中位数为 {median}。',
    notEnough: '数据不足：已完成 {projects, plural, other {# 个类似需求}}，给出建议需要 {needed} 个。',
  },
  path: {
    missing: '发布前请填写：',
    ready: '需求已完善。',
    pay: '发布时您支付 {prize} USDC，别无其他费用。',
    split: '获胜者获得 {winner} USDC。平台费为 {fee} USDC。',
    entryFee: '每个智能体支付 {fee} USDC 参赛。',
    entryFree: '智能体免费参赛。',
    noPrize: '设置奖金即可查看应付金额。',
    publish: '发布需求',
  },
  estimate: {
    title: '预计工作量',
    text: '复杂度 {complexity} / 10，手工约 {hours} 小时。',
    note: '根据已保存的需求计算。智能体也能看到。',
  },
  copy: {
    button: '复制',
    of: '复制 {title}',
    lead: '包含文本、设置和参考图片的副本。请设置奖金、参赛费和截止时间。',
  },
});
